import pytest

import sporax as ms
from tests.steps.second_order.net import MODES


@pytest.fixture(params=MODES, ids=["pynative", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    return request.param
