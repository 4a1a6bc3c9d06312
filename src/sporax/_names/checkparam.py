"""Argument checks that programs take from `mindspore._checkparam`.

The functions of 2.x; and of 1.x the classes `Validator` and `Rel`, whose members are the same functions and relations.
"""

import math
import operator

import numpy as np

from sporax._core import dtype

EQ, NE, LT, LE, GT, GE = "==", "!=", "<", "<=", ">", ">="
INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = "()", "[)", "(]", "[]"
IN, NOT_IN = "in", "not in"

_COMPARE = {EQ: operator.eq, NE: operator.ne, LT: operator.lt, LE: operator.le, GT: operator.gt, GE: operator.ge}
_CONTAIN = {IN: lambda x, values: x in values, NOT_IN: lambda x, values: x not in values}


def _where(prim_name, arg_name):
    subject = f"For '{prim_name}', the" if prim_name else "The"
    return f"{subject} '{arg_name or 'argument'}'"


def _inside(value, low, high, rel):
    return (value > low if rel[0] == "(" else value >= low) and (value < high if rel[1] == ")" else value <= high)


def _number(value, kind, arg_name, prim_name):
    """`value`, which is a number of this kind (int, float or either) and no bool."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, kind):
        wanted = " or ".join(k.__name__ for k in (kind if isinstance(kind, tuple) else (kind,)))
        raise TypeError(f"{_where(prim_name, arg_name)} should be {wanted}, but got {value!r} of type {type(value).__name__}.")
    return value


def check(arg_name, arg_value, value_name, value, rel=EQ, prim_name=None, excp_cls=ValueError):
    """`arg_value`, which stands in the relation to `value`; raises `excp_cls` if it doesn't."""
    if not {**_COMPARE, **_CONTAIN}[rel](arg_value, value):
        raise excp_cls(f"{_where(prim_name, arg_name)} should be {rel} {value_name}: {value!r}, but got {arg_value!r}.")
    return arg_value


def check_int(arg_value, value, rel, arg_name=None, prim_name=None):
    """An int in the relation to `value`."""
    return check(arg_name, _number(arg_value, int, arg_name, prim_name), "", value, rel, prim_name)


def check_float(arg_value, value, rel, arg_name=None, prim_name=None):
    """A float in the relation to `value`."""
    return check(arg_name, _number(arg_value, float, arg_name, prim_name), "", value, rel, prim_name)


def check_equal_int(arg_value, value, arg_name=None, prim_name=None):
    """An int equal to `value`."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_is_int(arg_value, arg_name=None, prim_name=None):
    """An int."""
    return _number(arg_value, int, arg_name, prim_name)


def check_is_float(arg_value, arg_name=None, prim_name=None):
    """A float."""
    return _number(arg_value, float, arg_name, prim_name)


def check_is_number(arg_value, arg_type, arg_name=None, prim_name=None):
    """A finite number of the type."""
    if math.isnan(_number(arg_value, arg_type, arg_name, prim_name)) or math.isinf(arg_value):
        raise ValueError(f"{_where(prim_name, arg_name)} should be finite, but got {arg_value!r}.")
    return arg_value


def check_number(arg_name, arg_value, value, rel, prim_name):
    """A number in the relation to `value`."""
    return check(arg_name, _number(arg_value, (int, float), arg_name, prim_name), "", value, rel, prim_name)


def check_number_range(arg_value, lower_limit, upper_limit, rel, value_type, arg_name=None, prim_name=None):
    """A number of the type between the limits; `rel` says which of them belong to the range."""
    if not _inside(_number(arg_value, value_type, arg_name, prim_name), lower_limit, upper_limit, rel):
        raise ValueError(f"{_where(prim_name, arg_name)} should be in {rel[0]}{lower_limit}, {upper_limit}{rel[1]}, but got {arg_value!r}.")
    return arg_value


def check_int_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """An int between the limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """A float between the limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)


def _sign_checks(kind, name):
    """The checks `check_positive_<name>` and so on: positive, negative, non_positive, non_negative."""

    def make(rel):
        def check_sign(arg_value, arg_name=None, prim_name=None):
            return check(arg_name, _number(arg_value, kind, arg_name, prim_name), "", 0, rel, prim_name)

        return check_sign

    made = {}
    for word, rel in (("positive", GT), ("negative", LT), ("non_positive", LE), ("non_negative", GE)):
        function = make(rel)
        function.__name__ = function.__qualname__ = f"check_{word}_{name}"
        function.__doc__ = f"A {name} {rel} 0."
        made[function.__name__] = function
    return made


globals().update(_sign_checks(int, "int") | _sign_checks(float, "float"))


def check_bool(arg_value, arg_name=None, prim_name=None):
    """A bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_where(prim_name, arg_name)} should be a bool, but got {arg_value!r} of type {type(arg_value).__name__}.")
    return arg_value


def check_string(arg_value, valid_values, arg_name=None, prim_name=None):
    """A str that is one of the values."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        raise ValueError(f"{_where(prim_name, arg_name)} should be one of {list(valid_values)}, but got {arg_value!r} of type {type(arg_value).__name__}.")
    return arg_value


def check_value_type(arg_name, arg_value, valid_types, prim_name=None):
    """A value of one of the types; a bool counts as an int only where bool is among them."""
    types = tuple(valid_types) if isinstance(valid_types, list | tuple | set) else (valid_types,)
    if (isinstance(arg_value, bool) and bool not in types) or not isinstance(arg_value, types):
        raise TypeError(f"{_where(prim_name, arg_name)} should be of type {' or '.join(t.__name__ for t in types)}, but got {type(arg_value).__name__}.")
    return arg_value


def check_type_name(arg_name, arg_type, valid_types, prim_name):
    """A dtype that is one of those given."""
    types = list(valid_types) if isinstance(valid_types, list | tuple | set) else [valid_types]
    if arg_type not in types:
        raise TypeError(f"{_where(prim_name, arg_name)} should be one of {types}, but got {arg_type}.")
    return arg_type


def check_isinstance(arg_name, arg_value, classes):
    """An instance of one of the classes."""
    if not isinstance(arg_value, classes):
        raise TypeError(f"{_where(None, arg_name)} should be an instance of {classes}, but got {arg_value!r} of type {type(arg_value).__name__}.")
    return arg_value


def _is_kind_of(kind, template):
    if kind is template:
        return True
    if isinstance(kind, type):
        return isinstance(template, type) and issubclass(kind, template)
    # dtypes: one without a numpy dtype (`mstype.number`) stands for its whole family
    return isinstance(kind, dtype.Type) and isinstance(template, dtype.Type) and template.np_dtype is None and isinstance(kind, type(template))


def check_subclass(arg_name, type_, template_types, prim_name, addition_error_info=None):
    """A type, or a dtype, that is a kind of (or equal to) one of those given."""
    templates = tuple(template_types) if isinstance(template_types, list | tuple | set) else (template_types,)
    if not any(_is_kind_of(type_, t) for t in templates):
        more = f" {addition_error_info}" if addition_error_info else ""
        raise TypeError(f"{_where(prim_name, arg_name)} should be a subclass of {templates}, but got {type_}.{more}")
    return type_


def twice(x):
    """Two of `x`, unless there are two already: how sizes of windows are given.

    Examples:
        >>> from sporax._names.checkparam import twice
        >>> twice(3), twice((1, 2))
        ((3, 3), (1, 2))
    """
    if isinstance(x, int):
        return (x, x)
    if isinstance(x, tuple):
        return x
    raise TypeError(f"A size should be an int or a tuple of two ints, but got {x!r}.")


_CHECKS = {name: f for name, f in globals().items() if name.startswith("check")}


class Rel:
    """The relations, by the names of 1.x."""

    EQ, NE, LT, LE, GT, GE = EQ, NE, LT, LE, GT, GE
    INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH
    IN, NOT_IN = IN, NOT_IN


Validator = type("Validator", (), {name: staticmethod(f) for name, f in _CHECKS.items()} | {"__doc__": "The checks, by the names of 1.x."})
