#!/usr/bin/env node
/** What `npm run server` runs, once it is built. */
import './locale.ts'
import { run } from './run.ts'

await run(process.argv.slice(2))
