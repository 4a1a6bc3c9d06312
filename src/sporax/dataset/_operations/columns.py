"""Names and choice of columns: rename, project."""

from sporax.dataset import _checks
from sporax.dataset._base import UnionBaseDataset
from sporax.dataset._pipeline import streams
from sporax.dataset._pipeline.errors import pipeline_error


def positions(columns, wanted, what):
    """Where the `wanted` columns are among `columns`.

    Raises:
        RuntimeError: one is not among them.
    """
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise pipeline_error(f"Invalid column, column name: {', '.join(missing)} does not exist: {what} needs it, and the rows have {list(columns)}.")
    return [columns.index(name) for name in wanted]


class RenameDataset(UnionBaseDataset):
    """Columns with other names. See `Dataset.rename`."""

    def __init__(self, input_dataset, input_columns, output_columns):
        super().__init__(input_dataset)
        self.input_columns, self.output_columns = _checks.names("input_columns", input_columns), _checks.names("output_columns", output_columns)
        if len(self.input_columns) != len(self.output_columns):
            raise ValueError(f"rename needs as many new names as old ones, but got {self.input_columns} and {self.output_columns}.")

    def _columns(self):
        columns = self.children[0]._columns()
        positions(columns, self.input_columns, "rename")
        new = dict(zip(self.input_columns, self.output_columns))
        renamed = [new.get(name, name) for name in columns]
        if len(set(renamed)) != len(renamed):
            raise pipeline_error(f"Invalid column, rename makes names that are there already: {renamed}.")
        return renamed

    def _open(self, run, pass_):
        self._columns()
        return run.open(self.children[0], pass_)


class ProjectDataset(UnionBaseDataset):
    """Some columns. See `Dataset.project`."""

    def __init__(self, input_dataset, columns):
        super().__init__(input_dataset)
        self.columns = _checks.names("columns", columns)

    def _columns(self):
        positions(self.children[0]._columns(), self.columns, "project")
        return self.columns

    def _open(self, run, pass_):
        return streams.Through(run.number(self), run.open(self.children[0], pass_), pass_)

    def _work(self, run, number):
        at, evaluate = positions(self.children[0]._columns(), self.columns, "project"), run.evaluate

        def work(token):
            row = evaluate(token[1])
            return tuple([row[i] for i in at])

        return work
