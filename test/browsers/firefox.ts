import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { isInstalled, startDesk, type Engine } from './engine.ts'

const PREFERENCES = {
  // Headless Firefox has no WebGL 2; with a window it has, by software.
  'webgl.force-enabled': true,
  'ui.prefersReducedMotion': 1,
  'intl.accept_languages': 'en-US',
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.enabled': false,
}

type Reply = { readonly id?: number; readonly type: string; readonly result?: unknown; readonly message?: string }
type Evaluated = {
  readonly type: string
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: unknown
}

export function isFirefoxInstalled(): boolean {
  return isInstalled('firefox-esr', 'Xvfb')
}

/** Firefox, by WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const desk = await startDesk()
  const profile = join(desk.home, 'profile')
  mkdirSync(profile)
  const preferences = { ...PREFERENCES, 'browser.download.folderList': 2, 'browser.download.dir': desk.downloads }
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const words = ['--remote-debugging-port', '0', '--no-remote', '--profile', profile, 'about:blank']
  const address = await desk.start('firefox-esr', words, /WebDriver BiDi listening on (ws:\/\/\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.on('message', (data: Buffer) => {
    const reply = JSON.parse(data.toString()) as Reply
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
  })
  let last = 0
  const call = async (method: string, params: object): Promise<unknown> => {
    const id = ++last
    const reply = await new Promise<Reply>(resolve => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    waiting.delete(id)
    if (reply.type === 'error') throw new Error(`${method}: ${reply.message}`)
    return reply.result
  }
  await call('session.new', { capabilities: {} })
  const { contexts } = (await call('browsingContext.getTree', {})) as { contexts: readonly { context: string }[] }
  const context = contexts[0]?.context
  return {
    open: async url => void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
    resize: async (width, height) =>
      void (await call('browsingContext.setViewport', { context, viewport: { width, height } })),
    evaluate: async expression => {
      const answer = (await call('script.evaluate', {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })) as Evaluated
      if (answer.type !== 'success') throw new Error(JSON.stringify(answer.exceptionDetails))
      return JSON.parse(answer.result?.value ?? 'null') as unknown
    },
    perform: async (...actions) => void (await call('input.performActions', { context, actions })),
    downloads: desk.saved,
    stop: async () => {
      socket.terminate()
      await desk.stop()
    },
  }
}
