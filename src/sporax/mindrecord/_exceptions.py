"""Errors of MindRecord files, with MindSpore's names. Each is a RuntimeError."""


class MindRecordException(RuntimeError):
    """The base of these errors."""

    _text = "MindRecord failed."

    def __init__(self, detail=""):
        super().__init__(f"[{type(self).__name__}]: {self._text}{f' Detail: {detail}' if detail else ''}")


def _error(name, text):
    return type(name, (MindRecordException,), {"_text": text, "__doc__": text, "__module__": __name__})


UnknownError = _error("UnknownError", "Unknown error.")
ParamTypeError = _error("ParamTypeError", "A parameter has a wrong type.")
ParamValueError = _error("ParamValueError", "A parameter has a wrong value.")
ParamMissError = _error("ParamMissError", "A parameter is missing.")
PathNotExistsError = _error("PathNotExistsError", "A path does not exist.")
DbConnectionError = _error("DbConnectionError", "The index can't be read.")
MRMOpenError = _error("MRMOpenError", "MindRecord could not open.")
MRMOpenForAppendError = _error("MRMOpenForAppendError", "MindRecord could not open for append.")
MRMInvalidPageSizeError = _error("MRMInvalidPageSizeError", "Failed to set page size.")
MRMInvalidHeaderSizeError = _error("MRMInvalidHeaderSizeError", "Failed to set header size.")
MRMSetHeaderError = _error("MRMSetHeaderError", "Failed to set header.")
MRMWriteDatasetError = _error("MRMWriteDatasetError", "Failed to write dataset.")
MRMCommitError = _error("MRMCommitError", "Failed to commit.")
MRMAddSchemaError = _error("MRMAddSchemaError", "Failed to add schema.")
MRMAddIndexError = _error("MRMAddIndexError", "Failed to add index field.")
MRMFetchDataError = _error("MRMFetchDataError", "Failed to fetch data by category.")
MRMInvalidSchemaError = _error("MRMInvalidSchemaError", "Schema format is error.")
MRMValidateDataError = _error("MRMValidateDataError", "Raw data is not valid.")
MRMDefineIndexError = _error("MRMDefineIndexError", "Failed to define index field.")
MRMDefineBlobError = _error("MRMDefineBlobError", "Failed to define blob field.")
MRMUnsupportedSchemaError = _error("MRMUnsupportedSchemaError", "Schema is not supported.")
MRMDefineCategoryError = _error("MRMDefineCategoryError", "Failed to define category field.")
