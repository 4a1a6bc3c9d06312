"""Several pipelines as one: zip, concat."""

from sporax.dataset._base import Dataset, UnionBaseDataset
from sporax.dataset._pipeline import streams
from sporax.dataset._pipeline.errors import pipeline_error


class ZipDataset(UnionBaseDataset):
    """Rows side by side, until the shortest ends.

    Args:
        datasets (tuple[Dataset]): no two have a column of the same name.

    Raises:
        TypeError: `datasets` is not a tuple of datasets.
        ValueError: it is empty.
    """

    def __init__(self, datasets):
        if not isinstance(datasets, tuple) or not all(isinstance(d, Dataset) for d in datasets):
            raise TypeError(f"datasets should be a tuple of datasets, but got {datasets!r}.")
        if not datasets:
            raise ValueError("datasets should not be empty: zip needs one dataset at least.")
        super().__init__(list(datasets))

    def _columns(self):
        columns = [name for child in self.children for name in child._columns()]
        twice = sorted({name for name in columns if columns.count(name) > 1})
        if twice:
            raise pipeline_error(f"Invalid data, duplicate column {', '.join(twice)} already exists when zipping datasets: rename it in one of them.")
        return columns

    def _size(self):
        sizes = [child._size() for child in self.children]
        return None if None in sizes else min(s for s in sizes if s is not None)

    def _open(self, run, pass_):
        return streams.Zip(run.number(self), [run.open(child, pass_) for child in self.children])

    def _work(self, run, number):
        evaluate = run.evaluate

        def work(token):
            return tuple([value for t in token[1] for value in evaluate(t)])

        return work


class ConcatDataset(UnionBaseDataset):
    """Rows of one dataset after those of another; all have the same columns.

    Args:
        datasets (list[Dataset])
    """

    def __init__(self, datasets):
        if not isinstance(datasets, list) or not all(isinstance(d, Dataset) for d in datasets):
            raise TypeError(f"datasets should be a list of datasets, but got {datasets!r}.")
        super().__init__(datasets)
        self._sampler = None

    def _columns(self):
        columns = [list(child._columns()) for child in self.children]
        for other in columns[1:]:
            if other != columns[0]:
                raise pipeline_error(
                    f"Invalid columns, 'column name' or 'column order' of concat datasets should be the same, but got {columns[0]} and {other}."
                )
        return columns[0]

    def _lengths(self):
        return [child._size() for child in self.children]

    def _size(self):
        sizes = self._lengths()
        if None in sizes:
            return None
        total = sum(s for s in sizes if s is not None)
        return total if self._sampler is None else len(range(self._sampler.shard_id, total, self._sampler.num_shards))

    def _open(self, run, pass_):
        self._columns()
        openers = [lambda child=child: run.open(child, pass_) for child in self.children]
        if self._sampler is None:
            return streams.Concat(openers)
        tokens = [token for opener in openers for token in opener()]
        return streams.Lazy(iter([tokens[i] for i in self._sampler._uneven(len(tokens), run.rng(self, pass_), pass_)]))

    def use_sampler(self, sampler):
        """Let a DistributedSampler choose among all rows.

        Raises:
            TypeError: it is another sampler.
            ValueError: it says a number of samples: that is not for the whole of several datasets.
        """
        from sporax.dataset.samplers import DistributedSampler

        if not isinstance(sampler, DistributedSampler):
            raise TypeError(f"The parameter sampler of concat should be a DistributedSampler, but got {type(sampler).__name__}.")
        if sampler.num_samples is not None:
            raise ValueError(f"The parameter num_samples of the DistributedSampler of a concat should be left out, but got {sampler.num_samples}.")
        self._sampler = sampler


def zip_datasets(datasets):
    """Rows of several datasets side by side: `mindspore.dataset.zip`.

    Args:
        datasets (tuple[Dataset]): no two have a column of the same name.
    """
    return ZipDataset(datasets)
