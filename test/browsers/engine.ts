import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Actions of a source of input, as WebDriver and WebDriver BiDi describe them. */
export type InputSource = {
  readonly type: 'key' | 'pointer'
  readonly id: string
  readonly actions: readonly Readonly<Record<string, unknown>>[]
}

/** A window of a browser other than Chromium. */
export type Engine = {
  readonly open: (url: string) => Promise<void>
  readonly resize: (width: number, height: number) => Promise<void>
  /** The value of an expression in the page, which may be a promise, as JSON. */
  readonly evaluate: (expression: string) => Promise<unknown>
  readonly perform: (...sources: readonly InputSource[]) => Promise<void>
  /** Paths of files that the page has saved. */
  readonly downloads: () => readonly string[]
  readonly stop: () => Promise<void>
}

export function isInstalled(...programs: readonly string[]): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return programs.every(name => [...folders.map(folder => join(folder, name)), name].some(path => existsSync(path)))
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function firstLine(stream: Readable, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const found = pattern.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    stream.on('close', () => reject(new Error(`The program ended without saying ${String(pattern)}: ${text}`)))
  })
}

/** A screen that nobody sees and a folder, in which programs of one browser run. */
export async function startDesk() {
  const home = mkdtempSync(join(tmpdir(), 'foldboard-browser-'))
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1300x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const children: ChildProcess[] = [screen]
  const downloads = join(home, 'Downloads')
  mkdirSync(downloads)
  mkdirSync(join(home, '.config'))
  writeFileSync(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
  const display = await firstLine(screen.stdio[3] as Readable, /^(\d+)\s/)
  return {
    home,
    /** The folder of saved files. */
    downloads,
    saved: () => readdirSync(downloads).map(name => join(downloads, name)),
    /** Starts a program; resolves with what the first group of `pattern` is in its errors and notes. */
    start: (command: string, words: readonly string[], pattern: RegExp): Promise<string> => {
      const child = spawn(command, words, {
        env: {
          ...process.env,
          DISPLAY: `:${display}`,
          HOME: home,
          LIBGL_ALWAYS_SOFTWARE: '1',
          // Without a default route WebKit takes every page for offline.
          GIO_USE_NETWORK_MONITOR: 'base',
          NO_AT_BRIDGE: '1',
          DBUS_SESSION_BUS_ADDRESS: 'disabled:',
          TZ: 'Europe/Berlin',
          LANG: 'en_US.UTF-8',
        },
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      })
      children.unshift(child)
      return firstLine(child.stderr, pattern)
    },
    stop: async (): Promise<void> => {
      for (const child of children) {
        const ended = new Promise(done => child.once('exit', done))
        if (child.exitCode !== null || child.pid === undefined) continue
        // A browser has processes of its own, in its group.
        process.kill(child === screen ? child.pid : -child.pid, 'SIGKILL')
        await ended
      }
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
