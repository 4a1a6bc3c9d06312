"""The end of a pipeline that feeds a device: `device_que`."""

from sporax.dataset import _checks
from sporax.dataset._base import Dataset


class TransferDataset(Dataset):
    """Rows for the device. The training step takes them from an iterator ahead of time, so there is nothing to send by hand; the methods are those that programs call.

    Args:
        input_dataset (Dataset): the pipeline.
        send_epoch_end (bool): kept for programs that give it. Default: ``True``.
        create_data_info_queue (bool): keep the shapes and types of rows for `get_data_info`. Default: ``False``.
        queue_name (str): a name. Default: ``""``.
    """

    def __init__(self, input_dataset, send_epoch_end=True, create_data_info_queue=False, queue_name=""):
        super().__init__(input_dataset)
        self.send_epoch_end = _checks.truth("send_epoch_end", send_epoch_end)
        self.create_data_info_queue = _checks.truth("create_data_info_queue", create_data_info_queue)
        self.queue_name = queue_name
        self._iterator = None

    def send(self, num_epochs=-1):
        """Start the pipeline."""
        self._iterator = self.create_tuple_iterator(num_epochs=num_epochs, output_numpy=True)

    def stop_send(self):
        """End the pipeline's workers."""
        self.release()

    def continue_send(self):
        """Nothing to do: a pipeline that was not stopped goes on by itself."""

    def get_data_info(self):
        """The dtypes and shapes of a row: (list, list)."""
        return self.output_types(), self.output_shapes()

    def get_mbuf_queue_size(self):
        """How many rows wait for the device: 0, since they are taken from the pipeline itself."""
        return 0

    def release(self):
        """End the pipeline's workers."""
        if self._iterator is not None:
            self._iterator.release()
            self._iterator = None
