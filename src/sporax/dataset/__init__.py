"""Data pipelines: sources, operations, transforms of images, text and audio, on NumPy alone."""

from sporax._names import module_getattr
from sporax.dataset import config
from sporax.dataset._base import AudioBaseDataset, Dataset, TextBaseDataset, UnionBaseDataset, VisionBaseDataset
from sporax.dataset._operations.batch import BatchDataset, BatchInfo, PaddedBatchDataset
from sporax.dataset._operations.bucket import BucketBatchByLengthDataset
from sporax.dataset._operations.columns import ProjectDataset, RenameDataset
from sporax.dataset._operations.combine import ConcatDataset, ZipDataset
from sporax.dataset._operations.combine import zip_datasets as zip
from sporax.dataset._operations.map import MapDataset
from sporax.dataset._operations.order import RepeatDataset, ShuffleDataset, SkipDataset, TakeDataset
from sporax.dataset._operations.rows import FilterDataset, FlatMapDataset
from sporax.dataset._operations.split import SplitDataset
from sporax.dataset._operations.sync import SyncWaitDataset
from sporax.dataset._operations.transfer import TransferDataset
from sporax.dataset._sources.annotated import CocoDataset, VOCDataset
from sporax.dataset._sources.arrays import (
    Cifar10Dataset,
    Cifar100Dataset,
    EMnistDataset,
    FashionMnistDataset,
    KMnistDataset,
    MnistDataset,
    QMnistDataset,
    SemeionDataset,
    STL10Dataset,
)
from sporax.dataset._sources.base import MappableDataset, SourceDataset
from sporax.dataset._sources.folders import CelebADataset, ImageFolderDataset, ManifestDataset
from sporax.dataset._sources.generator import GeneratorDataset, NumpySlicesDataset, PaddedDataset
from sporax.dataset._sources.made import FakeImageDataset, RandomDataset
from sporax.dataset._sources.minddata import MindDataset
from sporax.dataset._sources.text import CLUEDataset, CSVDataset, TextFileDataset
from sporax.dataset._sources.tfrecord import TFRecordDataset
from sporax.dataset.callback import DSCallback, WaitedDSCallback
from sporax.dataset.config import ErrorSamplesMode, get_seed, set_seed
from sporax.dataset.iterators import DictIterator, Iterator, TupleIterator, check_iterator_cleanup
from sporax.dataset.samplers import *
from sporax.dataset.schema import Schema
from sporax.dataset.serializer import compare, deserialize, serialize, show

__getattr__ = module_getattr(__name__)
