import type { LoadFault } from '../folding/shared/load-fault.ts'

/** What a worker says of itself. */
export type WorkerNews =
  /** Its first message, when its code is loaded. */
  | { readonly type: 'worker.ready' }
  /** It holds the lock until it ends. */
  | { readonly type: 'worker.locked'; readonly lock: string }

/** The part of `navigator.locks` that is used. Missing on insecure pages, contrary to its type. */
export type WorkerLocks = { readonly request: (name: string, use: () => unknown) => Promise<unknown> } | undefined

function isNews(data: unknown): data is WorkerNews {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    (data.type === 'worker.ready' || data.type === 'worker.locked')
  )
}

/** Why a worker does not run: its code was not loaded, or it crashed repeatedly. */
export type WorkerFault = LoadFault | 'crashed'

export type WorkerCondition =
  /** There is a new one, which gets what is posted from now on. */
  | { readonly type: 'opened' }
  /** Its code runs. */
  | { readonly type: 'started' }
  /** It crashed, with its state; another one will be started. */
  | { readonly type: 'lost' }
  /** It could not be started, or crashed repeatedly. */
  | { readonly type: 'failed'; readonly fault: WorkerFault }

export type SupervisedWorker<Command> = {
  /** Dropped while there is no worker. One whose code is not there yet gets it later. */
  readonly post: (command: Command) => void
  readonly isRunning: () => boolean
  readonly restart: () => void
  readonly stop: () => void
}

/** Milliseconds. The next start may take twice as long as one that was given up: the computer may be busy. */
const LONGEST_START = 30_000
const MOST_DOUBLINGS = 5
const SHORTEST_DELAY = 500
const LONGEST_DELAY = 30_000
/** A worker that has run this long resets the counts of failures. */
const STABLE_AFTER = 60_000
const MAX_CRASHES = 5

/** The part of `Worker` that is used. */
export type WorkerThread = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

type SupervisorDeps<Message> = {
  readonly listen: (message: Message) => void
  readonly follow: (condition: WorkerCondition) => void
  readonly findFault: () => Promise<LoadFault>
  readonly locks: WorkerLocks
}

/**
 * Keeps a worker running: restarts it with increasing delays when its script does not load, it crashes, or the browser
 * ends it. Its state is lost, so `follow` is called for each new one.
 */
export function superviseWorker<Command, Message>(
  open: () => WorkerThread,
  { listen, follow, findFault, locks }: SupervisorDeps<Message>,
): SupervisedWorker<Command> {
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

  const reportFailure = async (wasReady: boolean): Promise<void> => {
    const failuresBefore = failures
    const fault = wasReady ? 'crashed' : await findFault()
    // It may run again or be stopped by now.
    if (failures === failuresBefore && !isReady && !isStopped) follow({ type: 'failed', fault })
  }

  const fail = (): void => {
    const wasReady = isReady
    end()
    failures += 1
    if (wasReady) {
      crashes += 1
      follow({ type: 'lost' })
    }
    if (crashes < MAX_CRASHES) after(Math.min(LONGEST_DELAY, SHORTEST_DELAY * 2 ** (failures - 1)), start)
    // A single failure is not reported, since the restart is quick.
    if (failures > 1) void reportFailure(wasReady)
  }

  const begin = (): void => {
    isReady = true
    after(STABLE_AFTER, () => {
      failures = 0
      crashes = 0
    })
    follow({ type: 'started' })
  }

  const start = (): void => {
    let thread: WorkerThread
    try {
      thread = worker = open()
    } catch {
      fail()
      return
    }
    const failOwn = (event?: Event): void => {
      event?.preventDefault()
      if (worker === thread) fail()
    }
    thread.addEventListener('error', failOwn)
    thread.addEventListener('messageerror', failOwn)
    thread.addEventListener('message', ({ data }: MessageEvent<Message | WorkerNews>) => {
      if (worker !== thread) return
      if (!isNews(data)) listen(data)
      else if (data.type === 'worker.ready') begin()
      // Granted when the worker has ended, of which browsers send no event when they end it themselves.
      else locks?.request(data.lock, () => failOwn()).catch(() => undefined)
    })
    after(LONGEST_START * 2 ** Math.min(failures, MOST_DOUBLINGS), failOwn)
    follow({ type: 'opened' })
  }

  start()
  return {
    post: command => {
      worker?.postMessage(command)
    },
    isRunning: () => isReady,
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
