import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { SECOND } from '../time/durations.ts'
import type { World } from '../world.ts'

/** Simulated milliseconds after which a file counts as not written. */
const LONGEST = 60 * SECOND

/** The bytes of a file that a page writes: the world goes on meanwhile, since the page pauses between its parts. */
async function bytesOf({ scheduler }: World, file: Promise<Blob>): Promise<Uint8Array | undefined> {
  const writing: { bytes?: Uint8Array; isOver: boolean } = { isOver: false }
  file
    .then(blob => blob.arrayBuffer())
    .then(
      buffer => {
        writing.bytes = new Uint8Array(buffer)
        writing.isOver = true
      },
      () => (writing.isOver = true),
    )
  for (const end = scheduler.now() + LONGEST; !writing.isOver && scheduler.now() < end;) {
    scheduler.runUntil(scheduler.now() + 10)
    await setImmediate()
  }
  return writing.bytes
}

type Saving = {
  readonly folder: string
  /** What the files are called. */
  readonly name: string
  /** What is wrong now, as the replay says it. */
  readonly mark: string | undefined
}

/** Saves what the open pages have recorded. `npm start` opens the files. Returns their paths. */
export async function saveRecordings(world: World, { folder, name, mark }: Saving): Promise<readonly string[]> {
  const paths: string[] = []
  for (const [number, page] of world.pages().entries()) {
    const file = page.record(mark)
    const bytes = file === undefined ? undefined : await bytesOf(world, file)
    if (bytes === undefined) continue
    const path = join(folder, `${name}-${page.device.name}-${number + 1}.gz`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, bytes)
    paths.push(path)
  }
  return paths
}
