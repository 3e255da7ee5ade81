import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { startFileHost } from '../end-to-end/file-host.ts'
import { isFirefoxInstalled, startFirefox } from './firefox.ts'
import { called, personAt } from './person.ts'
import { isWebKitInstalled, startWebKit } from './webkit.ts'

const ENGINES = [
  { name: 'Firefox', isThere: isFirefoxInstalled(), start: startFirefox },
  { name: 'WebKit', isThere: isWebKitInstalled(), start: startWebKit },
]
const FOLDER = join(import.meta.dirname, '../../build/demo')

describe.each(ENGINES)('the demo in $name', ({ name, isThere, start }) => {
  if (!isThere || !existsSync(FOLDER)) {
    it.skip(`nothing is tested: ${isThere ? 'npm run build:demo has not been run' : `${name} is not installed`}`, () =>
      undefined)
    return
  }
  it('folds below a path of a static host, obeys, opens a deep address, and works without its host', async () => {
    const host = await startFileHost(FOLDER, '/some/where/')
    const engine = await start()
    try {
      const { until, press } = personAt(engine)
      await engine.open(`${host.url}?tour=one`)
      await engine.resize(1280, 844)
      await until(called('main *', /^Folding$|^Running$/))
      await until(called('aside strong', /^Simulation$/))
      await press(called('main button', /^Pause\b/))
      await until(called('main *', /^Paused$/))
      await engine.open(`${host.url}stats?locale=en#points`)
      await until(`location.pathname === '/some/where/stats' && document.querySelector('h1')?.textContent === 'Stats'`)
      await engine.evaluate('navigator.serviceWorker.ready.then(() => true)')
      await until('navigator.serviceWorker.controller')
      await host.stop()
      await engine.open(`${host.url}news`)
      await until(`location.pathname === '/some/where/news' && document.querySelector('h1')?.textContent === 'News'`)
    } finally {
      await engine.stop()
      await host.stop()
    }
  }, 600_000)
})
