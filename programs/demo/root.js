/* The folder of the demo. Read before the address changes: all other addresses of the page are below it. */
globalThis.foldboardRoot = new URL('.', document.currentScript.src).pathname
