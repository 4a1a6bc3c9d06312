"""Source rewrites before and after malt's: what it does not know, in terms of what it knows.

Before: writes of attributes and items become calls (so they can be logged), private names get their class's prefix, assignment expressions
become statements, `raise` marks its exception. After: chained comparisons and `assert`, whose parts must not be evaluated twice or too early.
"""

import ast
from typing import Any


class Unsupported(Exception):
    """A construct that cannot be converted."""


_NAMES = {
    ast.Yield: "a generator",
    ast.YieldFrom: "a generator",
    ast.Await: "'await'",
    ast.AsyncFunctionDef: "an async function",
    ast.AsyncFor: "'async for'",
    ast.AsyncWith: "'async with'",
    ast.Match: "a 'match' statement",
    ast.TryStar: "'except*'",
    ast.ClassDef: "a class definition",
}
_SYMBOLS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def call(name, *args):
    """The expression `ag__.name(*args)`."""
    return ast.Call(ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load()), list(args), [])


def _thunk(body):
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)


def _is_slot(target):
    return isinstance(target, ast.Attribute | ast.Subscript)


def _is_simple(node):
    if isinstance(node, ast.Attribute):
        return _is_simple(node.value)
    if isinstance(node, ast.Subscript):
        return _is_simple(node.value) and _is_simple(node.slice)
    return isinstance(node, ast.Name | ast.Constant) or (isinstance(node, ast.UnaryOp) and _is_simple(node.operand))


def _load(node):
    return ast.parse(ast.unparse(node), mode="eval").body


class Before(ast.NodeTransformer):
    """The rewrites that come first. `owner`: name of the class whose method this is, or None."""

    def __init__(self, owner):
        self.owner, self.count = owner, 0

    def _fresh(self):
        self.count += 1
        return f"sporax_value_{self.count}"

    def visit(self, node) -> Any:
        """Rewrite one node; what has a line keeps it."""
        if type(node) in _NAMES:
            raise Unsupported(f"{_NAMES[type(node)]} (line {node.lineno})")
        new = super().visit(node)
        for n in new if isinstance(new, list) else [new]:
            if isinstance(n, ast.stmt | ast.expr) and not hasattr(n, "lineno") and hasattr(node, "lineno"):
                ast.copy_location(n, node)
        return new

    # Names ---------------------------------------------------------------------------------------------------------

    def _mangle(self, name):
        if self.owner and name.startswith("__") and not name.endswith("__"):
            return f"_{self.owner.lstrip('_')}{name}"
        return name

    def visit_Attribute(self, node):
        node.attr = self._mangle(node.attr)
        return self.generic_visit(node)

    def visit_Name(self, node):
        node.id = self._mangle(node.id)
        return node

    # Functions -----------------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node):
        names = sorted({n for s in _own_statements(node) if isinstance(s, ast.Nonlocal | ast.Global) for n in s.names})
        stored = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        node = self.generic_visit(node)
        names = [n for n in names if n in stored]
        if names:
            first = 0
            while first < len(node.body) and isinstance(node.body[first], ast.Global | ast.Nonlocal | ast.Expr) and not _is_call(node.body[first]):
                first += 1
            guard = ast.Expr(call("outer_writes", ast.Constant(node.name), ast.Tuple([ast.Constant(n) for n in names], ast.Load())))
            node.body.insert(first, ast.copy_location(guard, node))
        return node

    # Assignments ---------------------------------------------------------------------------------------------------

    def _store(self, target, value):
        """Statements that store an expression in a target that is an attribute or an item."""
        if isinstance(target, ast.Attribute):
            return ast.Expr(call("set_attr", target.value, ast.Constant(target.attr), value))
        return ast.Expr(call("set_item", target.value, _index(target.slice), value))

    def _replace_slots(self, target, after):
        """A target in which attributes and items are replaced by names; stores of these are appended to `after`."""
        if _is_slot(target):
            name = self._fresh()
            after.append(self._store(target, ast.Name(name, ast.Load())))
            return ast.Name(name, ast.Store())
        if isinstance(target, ast.Tuple | ast.List):
            target.elts = [self._replace_slots(t, after) for t in target.elts]
        elif isinstance(target, ast.Starred):
            target.value = self._replace_slots(target.value, after)
        return target

    def _located(self, node, statements):
        for s in statements:
            for n in ast.walk(s):
                if isinstance(n, ast.stmt | ast.expr) and not hasattr(n, "lineno"):
                    ast.copy_location(n, node)
        return statements

    def _hoisted(self, node, *fields):
        """Assignment expressions in these fields, as statements before the node."""
        before: list = []
        for field in fields:
            value = getattr(node, field)
            if value is not None:
                setattr(node, field, _Hoist(before).visit(value))
        rewritten = [self.visit(s) for s in before]
        return [s for x in rewritten for s in (x if isinstance(x, list) else [x])]

    def visit_Assign(self, node):
        before = self._hoisted(node, "value")
        node = self.generic_visit(node)
        if len(node.targets) == 1 and _is_slot(node.targets[0]):
            return self._located(node, [*before, self._store(node.targets[0], node.value)])
        after: list = []
        node.targets = [self._replace_slots(t, after) for t in node.targets]
        return self._located(node, [*before, node, *after])

    def visit_AnnAssign(self, node):
        if node.value is None:
            return ast.Pass()
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_AugAssign(self, node):
        before = self._hoisted(node, "value")
        node = self.generic_visit(node)
        symbol, target = _SYMBOLS[type(node.op)], node.target
        if isinstance(target, ast.Name):
            # the variable is a container of the program's, perhaps
            value = call("inplace", ast.Constant(symbol), ast.Name(target.id, ast.Load()), node.value)
            return self._located(node, [*before, ast.Assign([target], value)])
        statements = list(before)
        if not _is_simple(target.value):
            name = self._fresh()
            statements.append(ast.Assign([ast.Name(name, ast.Store())], target.value))
            target.value = ast.Name(name, ast.Load())
        if isinstance(target, ast.Subscript) and not _is_simple(target.slice):
            name = self._fresh()
            statements.append(ast.Assign([ast.Name(name, ast.Store())], _index(target.slice)))
            target.slice = ast.Name(name, ast.Load())
        old = _load(target)
        statements.append(self._store(target, call("inplace", ast.Constant(symbol), old, node.value)))
        return self._located(node, statements)

    def visit_Delete(self, node):
        node = self.generic_visit(node)
        statements = []
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                statements.append(ast.Expr(call("del_attr", target.value, ast.Constant(target.attr))))
            elif isinstance(target, ast.Subscript):
                statements.append(ast.Expr(call("del_item", target.value, _index(target.slice))))
            else:
                statements.append(ast.Delete([target]))
        return self._located(node, statements)

    def visit_For(self, node):
        before = self._hoisted(node, "iter")
        node = self.generic_visit(node)
        after: list = []
        node.target = self._replace_slots(node.target, after)
        node.body = [*self._located(node, after), *node.body]
        return [*before, node]

    def visit_With(self, node):
        node = self.generic_visit(node)
        after: list = []
        for i in node.items:
            if i.optional_vars is not None:
                i.optional_vars = self._replace_slots(i.optional_vars, after)
        node.body = [*self._located(node, after), *node.body]
        return node

    def visit_NamedExpr(self, node):
        raise Unsupported(f"an assignment expression where it is evaluated conditionally or repeatedly (line {node.lineno})")

    def _with_hoisting(self, *fields):
        def visit(node):
            before = self._hoisted(node, *fields)
            return [*before, self.generic_visit(node)]

        return visit

    def visit_If(self, node):
        return self._with_hoisting("test")(node)

    def visit_Expr(self, node):
        return self._with_hoisting("value")(node)

    def visit_Return(self, node):
        return self._with_hoisting("value")(node)

    # Expressions ---------------------------------------------------------------------------------------------------

    def visit_Raise(self, node):
        node = self.generic_visit(node)
        if node.exc is not None:
            node.exc = ast.copy_location(call("raising", node.exc), node)
        return node

    def visit_Try(self, node):
        """An exception that may be caught must not become an alarm."""
        node = self.generic_visit(node)
        if not node.handlers:
            return node
        node.finalbody = [ast.Expr(call("leave_try")), *node.finalbody]
        return self._located(node, [ast.Expr(call("enter_try")), node])

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        if isinstance(node.op, ast.Mod):
            return call("mod", node.left, node.right)
        return call("binary", ast.Constant(_SYMBOLS[type(node.op)]), node.left, node.right)

    def visit_UnaryOp(self, node):
        node = self.generic_visit(node)
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            return call("negative", node.operand)
        return node

    def _made(self, node):
        node = self.generic_visit(node)
        return call("made", node) if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) else node

    visit_List = visit_Dict = visit_Set = visit_ListComp = visit_DictComp = visit_SetComp = _made


def _index(node):
    """An index as an expression: `a[1:2, ::3]` has slices, which are none."""
    if isinstance(node, ast.Slice):
        parts = [p if p is not None else ast.Constant(None) for p in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_index(e) for e in node.elts], ast.Load())
    return node


def _own_statements(function):
    stack = list(function.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(c for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt | ast.ExceptHandler))


def _is_call(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


# Nodes inside which an assignment expression is not evaluated exactly once.
_REPEATED = (ast.Lambda, ast.IfExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _Hoist(ast.NodeTransformer):
    """Moves assignment expressions out of an expression."""

    def __init__(self, before):
        self.before = before

    def visit(self, node) -> Any:
        """Rewrite one node."""
        if isinstance(node, _REPEATED):
            return node
        if isinstance(node, ast.BoolOp):
            node.values[0] = self.visit(node.values[0])
            return node
        if isinstance(node, ast.NamedExpr):
            value = self.visit(node.value)
            self.before.append(ast.copy_location(ast.Assign([ast.Name(node.target.id, ast.Store())], value), node))
            return ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        return self.generic_visit(node)


class After(ast.NodeTransformer):
    """The rewrites that come after calls and statements have been converted."""

    def visit_Compare(self, node):
        """`a < f(x) < b`: the middle is evaluated once."""
        node = self.generic_visit(node)
        if len(node.ops) == 1:
            symbol = _SYMBOLS[type(node.ops[0])]
            return node if symbol in ("is", "is not", "in", "not in") else call("binary", ast.Constant(symbol), node.left, node.comparators[0])
        pairs = [
            ast.Tuple([ast.Constant(_SYMBOLS[type(op)]), _thunk(right)], ast.Load()) for op, right in zip(node.ops, node.comparators, strict=True)
        ]
        return call("compare", node.left, *pairs)

    def visit_Assert(self, node):
        """`assert` on a tensor."""
        node = self.generic_visit(node)
        message = [] if node.msg is None else [node.msg]
        return ast.copy_location(ast.Expr(call("assert_stmt", _thunk(node.test), _thunk(ast.Tuple(message, ast.Load())))), node)
