/** What `npm run dev` runs: the network, with the sources of the dashboard instead of the built pages. */
import { run } from './run.ts'
import { createDevPages } from './dev-pages.ts'

await run({ createPages: createDevPages })
