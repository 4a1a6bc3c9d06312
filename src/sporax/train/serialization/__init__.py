"""Files that training leaves behind: checkpoints in MindSpore's and PyTorch's formats.

| file | what it does |
|---|---|
| `_save`, `_load`, `_into_net` | `save_checkpoint`, `load_checkpoint`, `load_param_into_net` |
| `_ckpt`, `_wire`, `_crypto` | the `.ckpt` format, its frames, its encryption |
| `_safetensors` | the `.safetensors` format |
| `_train_state`, `_parts`, `_tree` | `TrainState`: a run's whole state, what its parts give out, and Python values as JSON and arrays |
| `_export` | `export`, `load` |
| `_convert` | checkpoints in other formats, with other names |
| `_sealed` | our own files |
| `_state_file`, `_folder`, `_resume` | its file, the folder that it is kept in, and which one that is |
| `_files`, `_async` | files that are never half written; writing them in the background |
"""

from sporax._names import module_getattr
from sporax.train.serialization._async import async_ckpt_thread_status
from sporax.train.serialization._convert import ckpt_to_safetensors, convert_checkpoint, safetensors_to_ckpt
from sporax.train.serialization._dtypes import tensor_to_ms_type, tensor_to_np_type
from sporax.train.serialization._export import export, load
from sporax.train.serialization._into_net import _update_param, load_param_into_net
from sporax.train.serialization._load import load_checkpoint, load_checkpoint_async
from sporax.train.serialization._resume import request_resume, resume_folder
from sporax.train.serialization._save import save_checkpoint
from sporax.train.serialization._train_state import TrainState

__getattr__ = module_getattr(__name__)
