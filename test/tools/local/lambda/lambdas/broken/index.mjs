throw new TypeError('cannot be loaded');
