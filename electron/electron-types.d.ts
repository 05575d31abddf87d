/** The modules `electron/main`, `electron/renderer` and `electron/utility` are declared beside `electron`, which nobody imports. */
/// <reference types="electron" />
