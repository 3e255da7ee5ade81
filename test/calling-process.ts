import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** `text`: of the body. `isStream`: only the beginning of the answer is read. */
export type Call = {
  readonly url: string
  readonly method: string
  readonly text?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly isStream?: boolean
}
/**
 * Milliseconds until the answer began, and those that the server worked, by its `clock`, during the longest request to `/healthz`
 * meanwhile.
 */
export type Called = { readonly status: number; readonly first: number; readonly health: number }

const SCRIPT = `
  const { readFileSync } = require('node:fs')
  const clock = process.argv[1]
  const worked = () => clock === '' ? performance.now() : Number(readFileSync(clock, 'utf8').split(' ')[0]) / 1e6
  const calls = require('node:readline').createInterface({ input: process.stdin })
  calls.on('line', async line => {
    const { url, method, text, headers, isStream } = JSON.parse(line)
    let isOver = false
    let health = 0
    const watch = async () => {
      while (!isOver) {
        const from = worked()
        await (await fetch(new URL('/healthz', url))).text()
        health = Math.max(health, worked() - from)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    const watched = watch()
    const from = performance.now()
    const response = await fetch(url, { method, body: text, headers, redirect: 'manual' })
    const first = performance.now() - from
    if (isStream) await response.body.cancel()
    else for await (const part of response.body ?? []) void part
    isOver = true
    await watched
    console.log(JSON.stringify({ status: response.status, first, health }))
  })
  calls.on('close', () => process.exit())`

/**
 * A process of its own that calls a server, so that only the server's own work is on the thread of the test. `clock`: a file that
 * begins with the nanoseconds for which the server's thread has run; '' for the clock of the computer.
 */
export function startCallingProcess(clock = '') {
  const child = spawn(process.execPath, ['-e', SCRIPT, clock], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    /** One call at a time. */
    call: async (call: Call): Promise<Called> => {
      child.stdin.write(`${JSON.stringify(call)}\n`)
      const { value } = (await answers.next()) as { value: string }
      return JSON.parse(value) as Called
    },
    stop: () => void child.kill(),
  }
}
