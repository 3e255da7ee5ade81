import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import type { InspectionEvent } from 'xstate'

/** Receives what the actors of a program do, as XState's `inspect` does. */
export type InspectActors = (event: InspectionEvent) => void

/** A built program, which can be started again and again: each time its modules are new. */
export type Program = {
  /** Starts it with these as its globals, and returns what it exports. */
  readonly run: (globals: Readonly<Record<string, unknown>>) => unknown
}

/** Everything by which a program could reach the real world, or share something with another one. Undefined unless given. */
const NAMES = [
  ...['globalThis', 'global', 'self', 'window', 'document', 'navigator', 'location', 'process', 'require', 'module'],
  ...['exports', '__filename', '__dirname', 'console', 'Date', 'Math', 'performance', 'crypto', 'fetch', 'WebSocket'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...['requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback', 'reportError'],
  ...['AbortSignal', 'Worker', 'MessageChannel', 'BroadcastChannel', 'localStorage', 'sessionStorage', 'indexedDB'],
  ...['DecompressionStream', 'CompressionStream', 'Notification', 'postMessage', 'addEventListener'],
  ...['name', 'removeEventListener', 'dispatchEvent', 'IDBCursor', 'IDBCursorWithValue', 'IDBDatabase', 'IDBFactory'],
  ...['IDBIndex', 'IDBKeyRange', 'IDBObjectStore', 'IDBOpenDBRequest', 'IDBRequest', 'IDBTransaction'],
  ...['IDBVersionChangeEvent', 'WeakRef', 'FinalizationRegistry', 'inspectActors'],
] as const

/** Reads a program that was built as one CommonJS file. */
export function loadProgram(path: string): Program {
  // In a function of its own, so that its declarations may have the names of globals.
  const compiled = compileFunction(`(() => {${readFileSync(path, 'utf8')}\n})()\nreturn module.exports`, [...NAMES], {
    filename: path,
  })
  return {
    run: globals => {
      const scope = Object.create(globalThis) as object
      const module = { exports: {} }
      const all: Record<string, unknown> = {
        ...globals,
        globalThis: scope,
        self: scope,
        module,
        exports: module.exports,
      }
      // Defined, since some properties of the real one cannot be assigned.
      for (const name of NAMES) Object.defineProperty(scope, name, { value: all[name], writable: true })
      Reflect.apply(
        compiled,
        undefined,
        NAMES.map(name => all[name]),
      )
      return module.exports
    },
  }
}
