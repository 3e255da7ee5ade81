import type { LoadFault } from '../folding/shared/load-fault.ts'

/** What a worker posts first, when all of its code is there. */
export const WORKER_READY = 'ready'

/** Why a worker does not run: its code did not arrive, or it crashed as often as it was started. */
export type WorkerFault = LoadFault | 'crashed'

export type WorkerCondition =
  | { readonly type: 'started' }
  /** It ran, and knows nothing any more; another one will be started. */
  | { readonly type: 'lost' }
  /** It could not be started, or was lost again and again. */
  | { readonly type: 'failed'; readonly fault: WorkerFault }

export type KeptWorker<Command> = {
  /** Dropped while no worker runs. */
  readonly post: (command: Command) => void
  readonly restart: () => void
  readonly stop: () => void
}

/** Milliseconds. */
const LONGEST_START = 30_000
const SHORTEST_DELAY = 500
const LONGEST_DELAY = 30_000
/** A worker that ran for so long did not crash by what makes every worker crash. */
const STEADY = 60_000
const MOST_CRASHES = 5

/** What is needed of a worker. */
export type WorkerThread = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

type KeptWorkerDeps<Message> = {
  readonly listen: (message: Message) => void
  readonly follow: (condition: WorkerCondition) => void
  readonly findFault: () => Promise<LoadFault>
}

/**
 * Keeps a worker running: starts another one, later and later, when its script does not arrive or it crashes. What a
 * worker knew is lost with it, so `follow` hears when to tell a new one everything.
 */
export const keepWorker = <Command, Message>(
  open: () => WorkerThread,
  { listen, follow, findFault }: KeptWorkerDeps<Message>,
): KeptWorker<Command> => {
  let worker: WorkerThread | undefined
  let isReady = false
  let failures = 0
  let crashes = 0
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const after = (milliseconds: number, run: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(run, milliseconds)
  }

  const end = (): void => {
    clearTimeout(timer)
    worker?.terminate()
    worker = undefined
    isReady = false
  }

  const tellFailure = async (wasReady: boolean): Promise<void> => {
    const own = failures
    const fault = wasReady ? 'crashed' : await findFault()
    // It may run again by now, or was stopped.
    if (failures === own && !isReady && !isStopped) follow({ type: 'failed', fault })
  }

  const fail = (): void => {
    const wasReady = isReady
    end()
    failures += 1
    if (wasReady) {
      crashes += 1
      follow({ type: 'lost' })
    }
    if (crashes < MOST_CRASHES) after(Math.min(LONGEST_DELAY, SHORTEST_DELAY * 2 ** (failures - 1)), start)
    // One failure alone is mended before anybody could read of it.
    if (failures > 1) void tellFailure(wasReady)
  }

  const start = (): void => {
    let own: WorkerThread
    try {
      own = worker = open()
    } catch {
      fail()
      return
    }
    const failOwn = (event?: Event): void => {
      event?.preventDefault()
      if (worker === own) fail()
    }
    own.addEventListener('error', failOwn)
    own.addEventListener('messageerror', failOwn)
    own.addEventListener('message', ({ data }: MessageEvent<Message | typeof WORKER_READY>) => {
      if (worker !== own) return
      if (data !== WORKER_READY) {
        listen(data)
        return
      }
      isReady = true
      after(STEADY, () => {
        failures = 0
        crashes = 0
      })
      follow({ type: 'started' })
    })
    after(LONGEST_START, failOwn)
  }

  start()
  return {
    post: command => {
      if (isReady) worker?.postMessage(command)
    },
    restart: () => {
      if (isReady || isStopped) return
      failures = 0
      crashes = 0
      end()
      start()
    },
    stop: () => {
      isStopped = true
      end()
    },
  }
}
