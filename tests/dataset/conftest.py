"""OpenCV changes LD_LIBRARY_PATH when it is imported: that happens here, before the check that no test changes the environment."""

import cv2  # noqa: F401
