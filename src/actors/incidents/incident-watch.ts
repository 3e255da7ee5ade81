import { LoadError, loadErrorText } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { WatchCommand, WatchFact, WatchInput } from '../../machines/incidents/incidents/incidents.events.ts'
import { factActor } from '../fact-actor.ts'
import type { WatchDeps } from './watcher.ts'

/**
 * Watches all clients for incidents. The code of the rules is loaded here, after the first picture; a failure is tried
 * again, at most once a minute.
 */
export function incidentWatch(deps: WatchDeps) {
  return factActor<WatchCommand, WatchInput, WatchFact>(({ input, report, receive }) => {
    const commands: WatchCommand[] = []
    let stop: (() => void) | undefined
    let hasStopped = false
    let accept: ((command: WatchCommand) => void) | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const start = async (): Promise<void> => {
      try {
        const { startWatching } = await loadCode(() => import('./watcher.ts'))
        if (hasStopped) return
        const watcher = startWatching(deps, input, report)
        stop = watcher.stop
        accept = watcher.accept
        for (const command of commands.splice(0)) accept(command)
      } catch (error) {
        if (!(error instanceof LoadError)) throw error
        if (hasStopped) return
        report({ type: 'watch.failed', reason: loadErrorText(error) ?? error.message })
        timer = setTimeout(() => void start(), RETRY)
      }
    }
    receive(command => {
      if (accept === undefined) commands.push(command)
      else accept(command)
    })
    void start()
    return () => {
      hasStopped = true
      clearTimeout(timer)
      stop?.()
    }
  })
}

/** Milliseconds. */
const RETRY = 60_000
