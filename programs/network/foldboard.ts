#!/usr/bin/env node
/** The command of the npm package: the dashboard for the user's own clients; the demo network on request. */
import { run } from './run.ts'

await run({ program: 'package' })
