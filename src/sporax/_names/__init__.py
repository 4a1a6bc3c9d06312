"""Names: how a program finds what it imports, whatever version of MindSpore it was written for.

| file | what it knows |
|---|---|
| `modules` | MindSpore's module paths, and the module here that answers to each |
| `spellings` | names that moved, were renamed or removed |
| `genuine` | the public names of the MindSpore release whose API this is |
| `lookup` | the `__getattr__` of modules, which puts the tables to work, and its messages |
| `finder` | the import finders |
| `members` | what tensors say about methods that they don't have |
| `keywords` | arguments that MindSpore 1.x had |
| `checkparam`, `log`, `private` | small modules that stand at paths of MindSpore that programs import from |

A public module has one line for all of it: `__getattr__ = module_getattr(__name__)`.
"""

from sporax._names.lookup import module_getattr

__all__ = ["module_getattr"]
