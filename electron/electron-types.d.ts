/**
 * The package `electron` declares the modules `electron/main`, `electron/renderer` and `electron/utility`, but no file
 * imports it.
 */
/// <reference types="electron" />
