import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import base from '../playwright.config.ts'

const { projects, ...shared } = base
const launchOptions = projects?.[0]?.use?.launchOptions
const reports = process.env['FOLDBOARD_REPORTS'] ?? 'test-results/reports'

// A real client asks real servers for work, and would let its answers in: never where it can reach any.
// The one device that scripts/test-peers.mjs adds has an address for documentation (RFC 5737) and leads nowhere.
const outside = Object.values(networkInterfaces()).flatMap(list =>
  (list ?? []).filter(({ internal, address }) => !internal && !/^(?:192\.0\.2\.|fe80:)/.test(address)),
)
if (outside.length > 0)
  throw new Error('Real peers are only started in a network of their own: run these tests by `npm run test:peers`.')

export default defineConfig({
  ...shared,
  testDir: '.',
  tsconfig: '../playwright.tsconfig.json',
  outputDir: '../../test-results/peers',
  // There is one client a computer, at its own port.
  fullyParallel: false,
  workers: 1,
  timeout: 180_000,
  reporter: [[process.stdout.isTTY ? 'list' : 'dot'], ['json', { outputFile: join(reports, 'peers.json') }]],
  use: {
    ...base.use,
    launchOptions: {
      ...launchOptions,
      // Relay nodes of these tests have certificates that only the client trusts.
      args: [...(launchOptions?.args ?? []), '--ignore-certificate-errors'],
    },
  },
})
