import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Program = {
  /** Resolves with what the pattern found in what was printed so far; fails when the program ends without it. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly printed: () => string
  /** 0 when it could not be started. */
  readonly pid: number
  readonly ended: Promise<number | null>
  /** Asks it to end, as Ctrl+C does, and resolves with its exit code. */
  readonly interrupt: () => Promise<number | null>
  /** Kills it without a signal that it could handle. Resolves when it has exited. */
  readonly stop: () => Promise<unknown>
}

type Options = {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
}

/** A program as a process of its own. What it prints is kept. */
export function startProgram(command: string, words: readonly string[], { cwd, environment = {} }: Options): Program {
  const child = spawn(command, words, {
    cwd,
    // Node writes a warning when both FORCE_COLOR, which the runner of the tests sets, and NO_COLOR are there.
    env: { ...process.env, FORCE_COLOR: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let wake = (): void => undefined
  // A program that cannot be started has no exit.
  const failed = once(child, 'error').then(([error]) => {
    text += String(error)
    return null
  })
  const ended = Promise.race([once(child, 'exit').then(([code]) => code as number | null), failed])
  let isOver = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more
      wake()
    })
  void ended.then(() => {
    isOver = true
    wake()
  })
  return {
    printed: () => text,
    pid: child.pid ?? 0,
    ended,
    says: async pattern => {
      for (;;) {
        const found = pattern.exec(text)
        if (found !== null) return found
        if (isOver)
          throw new Error(`${command} ended with code ${child.exitCode} and never said ${String(pattern)}:\n${text}`)
        await new Promise<void>(resolve => (wake = resolve))
      }
    },
    interrupt: () => {
      child.kill('SIGINT')
      return ended
    },
    stop: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
