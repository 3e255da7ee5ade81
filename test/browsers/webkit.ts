import { freePort, isInstalled, startDesk, type Engine } from './engine.ts'

const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

export function isWebKitInstalled(): boolean {
  return isInstalled('WebKitWebDriver', 'Xvfb', BROWSER)
}

type Answer = { readonly value: unknown }
type Evaluated = { readonly json?: string; readonly failure?: string }

/** WebKitGTK's MiniBrowser, by WebDriver. */
export async function startWebKit(): Promise<Engine> {
  const desk = await startDesk()
  const port = await freePort()
  const words = ['-c', `WebKitWebDriver --port=${port} & echo started >&2; wait`]
  await desk.start('sh', words, /(started)/)
  const call = async (method: string, path: string, body: object = {}): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })
    const { value } = (await answer.json()) as Answer
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  for (let attempt = 0; ; attempt++)
    try {
      await call('GET', '/status')
      break
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  // Without its tool bar a window can be as narrow as a phone.
  const options = { binary: BROWSER, args: ['--automation', '-f'] }
  const { sessionId } = (await call('POST', '/session', {
    capabilities: { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string }
  const session = `/session/${sessionId}`
  await call('POST', `${session}/timeouts`, { script: 120_000, pageLoad: 120_000, implicit: 0 })
  return {
    open: async url => void (await call('POST', `${session}/url`, { url })),
    resize: async (width, height) => void (await call('POST', `${session}/window/rect`, { width, height })),
    evaluate: async expression => {
      const { json, failure } = (await call('POST', `${session}/execute/async`, {
        script: `const done = arguments[0];
          (async () => (${expression}))().then(
            value => done({ json: JSON.stringify(value ?? null) }),
            error => done({ failure: String(error) }))`,
        args: [],
      })) as Evaluated
      if (failure !== undefined) throw new Error(failure)
      return JSON.parse(json ?? 'null') as unknown
    },
    perform: async (...actions) => void (await call('POST', `${session}/actions`, { actions })),
    downloads: desk.saved,
    stop: async () => {
      await call('DELETE', session).catch(() => undefined)
      await desk.stop()
    },
  }
}
