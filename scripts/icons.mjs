/*
 * Makes the icons of the installed app from public/favicon.svg, with the browser of the tests: node scripts/icons.mjs
 * Run it when favicon.svg changed. The results are in the repository.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'public/icons')
const note = join(root, 'node_modules/.foldboard/browser')
const executablePath = process.env.FOLDBOARD_BROWSER ?? (existsSync(note) ? readFileSync(note, 'utf8') : undefined)

/** `share`: of the picture's width. A maskable icon may be cut to a circle with a diameter of 80 %. */
const icons = [
  { name: 'icon-192.png', size: 192, share: 0.92, background: 'transparent' },
  { name: 'icon-512.png', size: 512, share: 0.92, background: 'transparent' },
  { name: 'maskable-512.png', size: 512, share: 0.52, background: '#fff' },
  { name: 'apple-touch-icon.png', size: 180, share: 0.72, background: '#fff' },
]

const drawing = readFileSync(join(root, 'public/favicon.svg'), 'utf8')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
try {
  for (const { name, size, share, background } of icons) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(
      `<style>body{margin:0;height:${size}px;display:grid;place-items:center;background:${background}}svg{width:${size * share}px}</style>${drawing}`,
    )
    await page.screenshot({ path: join(folder, name), omitBackground: true })
    await page.close()
  }
} finally {
  await browser.close()
}
