"""MindRecord: files of rows with random access, that genuine MindSpore reads and writes too."""

from sporax._names import module_getattr
from sporax.mindrecord._exceptions import *
from sporax.mindrecord._readers import FileReader, MindPage
from sporax.mindrecord._writer import FileWriter

__getattr__ = module_getattr(__name__)
