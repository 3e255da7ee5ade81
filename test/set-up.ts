/* Run for each file of unit tests. */
import { afterAll, vi } from 'vitest'
import './locale.ts'

// A module that is still loading when the environment of its test file goes is broken for all later files.
afterAll(() => vi.dynamicImportSettled())
