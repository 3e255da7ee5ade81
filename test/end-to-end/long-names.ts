import type { Page } from '@playwright/test'
import type { Network } from '../../programs/network/index.ts'
import { endedUnits } from '../bench/ended-units.ts'
import { folded } from '../log-lines.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'

/** A name without a place to break, of so many characters. */
export function longName(start: string, length = 90): string {
  return start + 'abcdefghijklmnopqrstuvwxyz'.repeat(Math.ceil(length / 26)).slice(0, length - start.length)
}

const RIGHT_TO_LEFT = 'מכונה-של-הסלון-עם-שם-ארוך-מאוד-שלא-נגמר'
const GPU = 'gpu:01:00:00'

function assignment(project: number) {
  return {
    ...unitData().assignment,
    project,
    ws: longName('server-'),
    core: { type: longName('0x', 30) },
  }
}

const units = [
  unitData({ id: longName('unit-'), number: 1, gpus: [GPU], frames: 2 }),
  unitData({ id: 'unit-2', number: 2, group: longName('group-'), state: 'A_STATE_THAT_NOBODY_KNOWS_AND_THAT_IS_LONG' }),
  unitData({ id: 'unit-3', number: 3, pause_reason: longName('reason-', 300), eta: longName('eta-') }),
  unitData({ id: 'unit-4', number: 4, state: 'DOWNLOAD', progress: 0.4, error: longName('error-') }),
  unitData({
    id: 'unit-5',
    number: 5,
    eta: '20d 3h',
    assignment: { ...assignment(999_999_999), deadline: 86_400, timeout: 3600 },
  }),
  unitData({
    id: 'unit-6',
    number: 6,
    state: 'ASSIGN',
    delay: 3600,
    retries: 12,
    wait: new Date(Date.now() + 1_800_000).toISOString(),
    assignment: undefined,
  }),
  unitData({ id: 'unit-7', number: 7, group: RIGHT_TO_LEFT, ppd: 123_456_789 }),
]

function places(frame: number) {
  return Array.from({ length: 30 }, (_, at) => [at, (at * 7) % 11, ((at * 3) % 7) + frame])
}
const topology = {
  atoms: Array.from({ length: 30 }, (_, at) => ['CA', 0.1, 1.7, (at % 8) + 1]),
  bonds: Array.from({ length: 29 }, (_, at) => [at, at + 1]),
}

/** A client in which every name is long and cannot be broken, with units of many states, a history, a log and a molecule. */
export async function startLongNamesClient(length = 90) {
  const name = longName('machine-', length)
  const client = await startScriptedClient(
    clientData({
      info: {
        mach_name: name,
        hostname: longName('host-', length),
        os_version: longName('version-', length),
        cpu_brand: longName('processor-', length),
        version: '8.5.7',
        simulated: true,
        mode: longName('mode-', length),
        revision: longName('revision-', length),
        gpus: {
          [GPU]: {
            description: longName('card-', length),
            supported: true,
            uuid: longName('uuid-', length),
            vendor: 1,
            device: 2,
            type: 'nvidia',
          },
        },
      },
      config: { user: longName('donor-', 100) },
      groups: {
        '': { config: groupConfig({ gpus: { [GPU]: { enabled: true } } }) },
        [longName('group-', length)]: {
          config: groupConfig(),
          failed: longName('failure-', length * 2),
          failed_wus: 9,
        },
        [RIGHT_TO_LEFT]: { config: groupConfig({ finish: true }), failed_wus: 3 },
      },
      units,
    }),
  )
  const answer = async (): Promise<void> => {
    for (;;) {
      const { cmd } = await client.nextCommand()
      if (cmd === 'wus') client.say(['wus', endedUnits(40, Date.now())])
      if (cmd === 'log')
        client.say(['log', [...folded(60), `12:00:00:I1:${longName('line-', 400)}`, '12:00:00:E :Failed']])
      if (cmd === 'viz')
        client.say(
          ['viz', longName('unit-'), 'topology', topology],
          ['viz', longName('unit-'), 'frames', 0, places(0)],
          ['viz', longName('unit-'), 'frames', 1, places(1)],
        )
    }
  }
  void answer()
  return { ...client, name, unit: longName('unit-') }
}

type Json = Readonly<Record<string, unknown>>

const article = {
  author: longName('author-'),
  title: longName('title-'),
  description: `<p>${longName('text-', 300)}</p>`,
}

/** What the API reports has long names too. */
export async function lengthenAnswers(page: Page, { apiUrl }: Network): Promise<void> {
  const alter = (path: string, change: (answer: Json) => unknown) =>
    page.route(`${apiUrl}${path}`, async route => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      const answer = (await response.json()) as Json
      return route.fulfill({ response, status: 200, json: change(answer) })
    })
  const team = {
    name: longName('team-', 100),
    url: `https://${longName('address-')}.example.org`,
    wus: 123_456_789,
    score: 987_654_321_012,
  }
  await alter('/account', answer => ({
    ...answer,
    ...(answer['id'] === undefined
      ? {}
      : {
          user: longName('donor-', 100),
          team: 42,
          teams: [
            { team: 42, ...team },
            { team: 2_147_483_647, ...team },
          ],
        }),
  }))
  await alter('/team/*', answer => ({ ...answer, ...team, id: 42, team: 42, rank: 123_456 }))
  await alter('/user/**', answer => ({
    ...answer,
    name: longName('donor-', 100),
    id: 7,
    score: 987_654_321_012,
    wus: 12_345_678,
    rank: 1_234_567,
    active_7: 1234,
    active_50: 5678,
    teams: [{ team: 42, ...team }],
  }))
  await alter('/project/*', answer => ({
    ...answer,
    manager: longName('manager-'),
    institution: longName('institution-'),
    cause: longName('cause-'),
    description: `<p>${longName('text-', 300)}</p><table><tr><td>${longName('cell-')}</td></tr></table><pre>${longName('code-', 200)}</pre>`,
  }))
  await alter('/article', answer =>
    Array.isArray(answer) ? answer.map((one: Json) => ({ ...one, ...article })) : answer,
  )
}
