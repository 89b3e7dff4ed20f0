//! Configuration as data: layers, keys, defaults, errors with file, line and key.
