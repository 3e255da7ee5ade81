import { spawn, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'

type ManyOptions = {
  /** The program of one run. */
  readonly program: string
  /** Its options, but for the seed. */
  readonly words: readonly string[]
  readonly firstSeed: number
  /** Epoch milliseconds after which no run is begun. */
  readonly until: number
  readonly endsWithFailure: boolean
  readonly print: (text: string) => void
}

export type Totals = { readonly runs: number; readonly failed: number; readonly broken: number }

/**
 * One run after another, with seeds that are counted up, as many at once as there are processors. Each has a process of its
 * own, since a run replaces what is global. What failed is printed.
 */
export async function runMany({
  program,
  words,
  firstSeed,
  until,
  endsWithFailure,
  print,
}: ManyOptions): Promise<Totals> {
  const running = new Set<ChildProcess>()
  let [seed, runs, failed, broken] = [firstSeed, 0, 0, 0]
  let isOver = false

  const runOne = async (): Promise<void> => {
    const child = spawn(process.execPath, [program, '--seed', String(seed++), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.add(child)
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    const page = await text(child.stdout)
    const code = await ended
    running.delete(child)
    if (isOver) return
    runs++
    if (code === 0) return
    if (code === 1) failed++
    else broken++
    print(`${page}\n`)
    isOver = endsWithFailure
    if (isOver) for (const other of running) other.kill()
  }

  const work = async (): Promise<void> => {
    while (!isOver && Date.now() < until) await runOne()
  }

  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return { runs, failed, broken }
}
