/** What `npm start` runs, once it is built. */
import { run } from './run.ts'

await run()
