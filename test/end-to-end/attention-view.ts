import type { Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'

/** A machine with a failed group, an impossible team, and a unit that missed its timeout. */
export function troubled() {
  return clientData({
    config: { team: -3 },
    groups: {
      '': { config: groupConfig({ cpus: 4 }) },
      oven: {
        config: groupConfig({ cpus: 4, paused: true }),
        failed_wus: 5,
        lost_wus: 5,
        failed: 'Paused due too many failed Work Units.',
      },
    },
    units: [
      unitData({
        assignment: {
          project: 18_201,
          core: { type: '0xa9' },
          credit: 1000,
          deadline: 864_000,
          timeout: 600,
          time: new Date(Date.now() - 3_600_000).toISOString(),
        },
      }),
    ],
  })
}

export function attention(page: Page) {
  return page.getByRole('banner').getByRole('link', { name: /^Attention/ })
}
export function openIncidents(page: Page) {
  return page.getByRole('list', { name: 'Open incidents' }).getByRole('listitem')
}
export function incident(page: Page, title: string) {
  return openIncidents(page).filter({ hasText: title })
}

export async function open(page: Page, stop: <T extends { stop(): unknown }>(started: T) => T, data: object) {
  const client = stop(await startScriptedClient(data))
  const { dashboardUrl } = stop(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  return client
}
