/** The modules `electron/main`, `electron/renderer` and `electron/utility` are declared beside `electron`, which no file imports. */
/// <reference types="electron" />
