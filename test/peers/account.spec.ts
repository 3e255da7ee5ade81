import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import type { Network } from '../../programs/network/index.ts'
import { signIn as signInAtApi } from '../network/page.ts'
import { machineSettingsOf } from '../end-to-end/machine-settings-view.ts'
import { expectState, machineCalled, press } from '../end-to-end/machines-view.ts'
import { signIn } from '../end-to-end/sign-in.ts'
import { REAL_NODE, type RealClient } from './real-client.ts'
import { giveClock, setClock } from './page-clock.ts'
import { certificateAt, startRealNode, trust, type RealNode } from './real-node.ts'
import { ask } from './client-report.ts'
import { expect, expectReport, idOf, nameOf, pausedOf, test as base, tick } from './fixtures.ts'

/** The library of libfaketime, by which a program has another time. */
const FAKETIME = process.env['FOLDBOARD_FAKETIME']
const AWAY_MS = Number(process.env['FOLDBOARD_NODE_AWAY_SECONDS'] ?? 30) * 1000
const ADDRESS = { host: '127.0.0.1', port: 7396 }

type Setting = { readonly network: Network; readonly client: RealClient; readonly node: RealNode | undefined }

const test = base.extend<{
  /** The embedded network whose account has only the real client, linked by a page on the same computer. */
  readonly link: (node?: RealNode, environment?: Readonly<Record<string, string>>) => Promise<Setting>
  readonly startNode: () => Promise<RealNode>
}>({
  link: async ({ page, startTestNetwork, startClient, stopAfterTest }, use) => {
    await use(async (node, more = {}) => {
      const network = await startTestNetwork({ machines: 0, isDemo: false, tls: true, client: ADDRESS })
      const certificate = await certificateAt(Number(new URL(network.nodeUrl).port))
      const { environment } = stopAfterTest(trust([certificate, ...(node === undefined ? [] : [node.certificate])]))
      const client = await startClient(['--api-server', network.apiUrl], { ...environment, ...more })
      const { account } = await signInAtApi(network.apiUrl, network.account)
      await page.goto(`${network.dashboardUrl}/machines`)
      await signIn(page, network.account)
      const { id } = await account()
      await expectReport(({ info }) => info['account'], id)
      return { network, client, node }
    })
  },
  startNode: async ({ stopAfterTest, keepPrinted }, use) => {
    await use(async () => {
      const node = stopAfterTest(await startRealNode())
      keepPrinted('node', node)
      return node
    })
  },
})

/** Folds and pauses from far away; the client confirms each command. */
async function expectObedience(page: Page): Promise<void> {
  const name = await nameOf()
  for (const [word, state, isPaused] of [
    ['Fold', 'Folding', false],
    ['Pause', 'Paused', true],
  ] as const) {
    await press(page, word, name)
    await expectState(page, name, state)
    await expectReport(pausedOf, isPaused)
  }
}

test.describe('by the embedded network', () => {
  test('the client is linked by a page on its computer, and obeys one far away', async ({ link, remote }) => {
    const { network } = await link()
    await expect.poll(() => network.relay.clientCount()).toBe(1)
    const page = await remote(network)
    await expect(
      machineCalled(page, await nameOf())
        .getByRole('link')
        .first(),
    ).toHaveAttribute('href', `/${await idOf()}`)
    await expectObedience(page)
  })

  test('it is renamed, and its settings are saved, from far away', async ({ link, remote }) => {
    const { network } = await link()
    const page = await remote(network)
    const id = await idOf()
    await expectState(page, await nameOf(), 'Paused')
    await page.getByRole('button', { name: `Actions for ${await nameOf()}` }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await expect(page).toHaveURL(new RegExp(`/${id}/settings$`))
    const view = machineSettingsOf(page)
    await page.getByRole('textbox', { name: 'Machine name' }).fill('far.away_1')
    await view.unlock()
    await view.addGroup('night & day')
    await tick(page, 'Beta Projects')
    await view.save()
    await view.expectSaved()
    await expectReport(
      report => [
        report.info['mach_name'],
        [...report.groups.keys()].sort(),
        report.groups.get('night & day')?.['beta'],
      ],
      ['far.away_1', ['', 'night & day'], true],
    )
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Machines' }).click()
    await expect(machineCalled(page, 'far.away_1')).toBeVisible()
  })

  test('a broadcast reaches all clients at once, in a form that they accept', async ({ link, remote }) => {
    const { network } = await link()
    const page = await remote(network)
    const name = await nameOf()
    await expectState(page, name, 'Paused')
    await page.getByRole('button', { name: 'Fold All' }).click()
    await expectReport(pausedOf, false)
    await expectState(page, name, 'Folding')
    await page.getByRole('button', { name: 'Pause All' }).click()
    await expectReport(pausedOf, true)
    await expectState(page, name, 'Paused')
  })

  test('it is unlinked, and reports it', async ({ link, remote }) => {
    const { network } = await link()
    const page = await remote(network)
    const name = await nameOf()
    await expectState(page, name, 'Paused')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('alertdialog', { name: 'Unlink machine?' }).getByRole('button', { name: 'Yes' }).click()
    await expect(machineCalled(page, name)).toHaveCount(0)
    await expectReport(({ info }) => info['account'], '')
    await expect.poll(() => network.relay.clientCount()).toBe(0)
  })

  test('it comes back after a crash, and after the relay was away', async ({ link, remote }) => {
    const { network, client } = await link()
    const page = await remote(network)
    const name = await nameOf()
    await expectState(page, name, 'Paused')
    await client.kill()
    await expect(machineCalled(page, name)).toContainText('Disconnected')
    await client.start()
    await expectObedience(page)
    await network.relay.stop()
    await expect(page.getByText(/relay/i).first()).toBeVisible()
    await network.relay.start()
    await expectObedience(page)
  })
})

test.describe('by the real relay node', () => {
  test.skip(REAL_NODE === undefined, 'FOLDBOARD_REAL_NODE names no program: see test/peers/README.md.')

  /** Names another node in the settings of the account, as a person does. */
  const moveTo = async (page: Page, host: string): Promise<void> => {
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Account of / })
      .click()
    await page.getByRole('textbox', { name: 'Node' }).fill(host)
    const moved = page.waitForEvent('websocket', socket => socket.url() === `wss://${host}/ws/account`)
    await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click()
    await moved
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Machines' }).click()
  }

  test('page and client follow the account to it, and it carries commands, settings and the log', async ({
    link,
    remote,
    startNode,
  }) => {
    const node = await startNode()
    const { network } = await link(node)
    const page = await remote(network)
    const name = await nameOf()
    await expectState(page, name, 'Paused')
    await moveTo(page, node.host)
    await expect.poll(() => network.relay.clientCount(), { timeout: 30_000 }).toBe(0)
    await expectObedience(page)
    await page.getByRole('button', { name: 'Fold All' }).click()
    await expectReport(pausedOf, false)
    await page.getByRole('button', { name: 'Pause All' }).click()
    await expectReport(pausedOf, true)
    await expectState(page, name, 'Paused')

    const id = await idOf()
    await page.goto(`${network.dashboardUrl}/${id}/log`)
    const log = page.getByRole('log', { name: `Log of ${name}` })
    await expect(log.locator('[data-line]').filter({ hasText: 'Machine state pause' }).last()).toBeInViewport()
    await page.goto(`${network.dashboardUrl}/${id}/settings`)
    const view = machineSettingsOf(page)
    await view.unlock()
    await view.addGroup('über "node"')
    await view.save()
    await view.expectSaved()
    await expectReport(({ groups }) => [...groups.keys()].sort(), ['', 'über "node"'])
  })

  test('a node that is killed is said to be out of reach, and all is well when it is back', async ({
    link,
    remote,
    startNode,
  }) => {
    const node = await startNode()
    const { network } = await link(node)
    const page = await remote(network)
    await moveTo(page, node.host)
    await expectObedience(page)
    await node.kill()
    await expect(page.getByText('The relay to your account’s machines cannot be reached.')).toBeVisible()
    await node.start()
    await expect(page.getByText('The relay to your account’s machines cannot be reached.')).toHaveCount(0)
    await expectObedience(page)
  })

  test(`it is away for ${AWAY_MS / 1000} seconds`, async ({ link, remote, startNode }) => {
    test.setTimeout(AWAY_MS + 180_000)
    const node = await startNode()
    const { network } = await link(node)
    const page = await remote(network)
    await moveTo(page, node.host)
    await expectObedience(page)
    await node.kill()
    await wait(AWAY_MS)
    await node.start()
    await expect(page.getByText('The relay to your account’s machines cannot be reached.')).toHaveCount(0, {
      timeout: 60_000,
    })
    await expectObedience(page)
  })

  test('a client that stands still for three minutes', async ({ link, remote, startNode }) => {
    test.setTimeout(400_000)
    const node = await startNode()
    const { network, client } = await link(node)
    const page = await remote(network)
    await moveTo(page, node.host)
    await expectObedience(page)
    const name = await nameOf()
    client.suspend()
    await press(page, 'Fold', name)
    await wait(180_000)
    await expect(page.getByText('‘Fold’ was not confirmed.')).toBeVisible()
    await expect(page.getByText(/was ignored/)).toHaveCount(0)
    const obeyed = () => client.printed().split('Machine state fold').length - 1
    const before = obeyed()
    client.resume()
    // Version 8.5.7 ends soon after it has found its connections lost, at times before it has read the command.
    const hasEnded = () => client.printed().includes('Lost connection to remote')
    await expect.poll(() => obeyed() > before || hasEnded(), { timeout: 60_000 }).toBe(true)
    const state = obeyed() > before ? 'Folding' : 'Paused'
    await client.kill()
    await client.start()
    await expectState(page, name, state)
    await expect(page.getByText('‘Fold’ was not confirmed.')).toHaveCount(state === 'Folding' ? 0 : 1)
    await expectObedience(page)
  })

  test('the clock of a client is set by an hour, in both directions', async ({
    link,
    remote,
    startNode,
    stopAfterTest,
  }) => {
    test.skip(FAKETIME === undefined, 'FOLDBOARD_FAKETIME names no library: see test/peers/README.md.')
    test.setTimeout(240_000)
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-clock-'))
    stopAfterTest({ stop: () => rmSync(folder, { recursive: true }) })
    const file = join(folder, 'offset')
    const set = (offset: string): void => writeFileSync(file, offset)
    set('+0')
    const node = await startNode()
    const { network, client } = await link(node, {
      LD_PRELOAD: FAKETIME ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    })
    const page = await remote(network)
    await moveTo(page, node.host)
    await expectObedience(page)
    const name = await nameOf()
    for (const offset of ['+3600', '-3600']) {
      set(offset)
      await client.kill()
      await client.start()
      // The node lets no client in whose clock is wrong.
      await expect(machineCalled(page, name)).toContainText('Disconnected', { timeout: 60_000 })
      set('+0')
      await expectState(page, name, 'Paused')
      await expectObedience(page)
    }
  })

  test('the clock of a page is set by an hour, in both directions', async ({ link, remote, startNode }) => {
    test.setTimeout(300_000)
    const node = await startNode()
    const { network } = await link(node)
    const page = await remote(network, { prepare: giveClock })
    await moveTo(page, node.host)
    await expectObedience(page)
    for (const hours of [1, -1, 0]) {
      await setClock(page, hours * 3_600_000)
      await expectObedience(page)
      await page.reload()
      await expectObedience(page)
      // The page logs in again with that clock.
      await node.kill()
      await expect(page.getByText('The relay to your account’s machines cannot be reached.')).toBeVisible()
      await node.start()
      await expectObedience(page)
      await expect(page.getByText(/was ignored|was not confirmed|as of/)).toHaveCount(0)
    }
  })

  test('the computer of a page sleeps for three minutes', async ({ link, remote, startNode, stopAfterTest }, info) => {
    test.setTimeout(400_000)
    const node = await startNode()
    const { network, client } = await link(node)
    const server = await chromium.launchServer(info.project.use.launchOptions)
    stopAfterTest({ stop: () => server.close() })
    // It has a process group of its own.
    const signal = (word: NodeJS.Signals): void => {
      process.kill(-(server.process().pid ?? Number.NaN), word)
    }
    const page = await remote(network, { on: await chromium.connect(server.wsEndpoint()) })
    await moveTo(page, node.host)
    await expectObedience(page)
    const name = await nameOf()
    await press(page, 'Fold', name)
    await expectReport(pausedOf, false)
    signal('SIGSTOP')
    await wait(180_000)
    signal('SIGCONT')
    await expectState(page, name, 'Folding')
    await expect(page.getByText(/was ignored|was not confirmed/)).toHaveCount(0)
    await expectObedience(page)

    // What happened while it slept is shown.
    signal('SIGSTOP')
    await client.kill()
    await wait(20_000)
    signal('SIGCONT')
    await expect(machineCalled(page, name)).toContainText('Disconnected', { timeout: 20_000 })
    await client.start()
    await expectObedience(page)
  })

  test('each setting is saved through it by itself, as it was meant', async ({
    link,
    remote,
    startNode,
    pageErrors,
  }) => {
    // The header asks who the team is.
    pageErrors.expect(/status of 404/)
    const node = await startNode()
    const { network } = await link(node)
    const page = await remote(network)
    await moveTo(page, node.host)
    await expectObedience(page)
    const setting = async (key: string) => (await ask()).groups.get('')?.[key]
    await page.goto(`${network.dashboardUrl}/${await idOf()}/settings`)
    const view = machineSettingsOf(page)
    await view.unlock()
    for (const [label, key] of [
      ['Only When Idle', 'on_idle'],
      ['While On Battery', 'on_battery'],
      ['Keep Awake', 'keep_awake'],
      ['Beta Projects', 'beta'],
      ['Enable CUDA', 'cuda'],
      ['Enable HIP', 'hip'],
    ] as const) {
      const before = await setting(key)
      if (before === undefined) {
        // A client before 8.5 does not know it.
        await expect(page.getByRole('checkbox', { name: label })).toHaveCount(0)
        continue
      }
      await tick(page, label)
      await view.save()
      await expectReport(({ groups }) => groups.get('')?.[key], before !== true)
      await view.expectSaved()
    }
    await page.getByRole('textbox', { name: 'Project Key' }).fill('17')
    await view.save()
    await expectReport(({ groups }) => groups.get('')?.['key'], 17)
    await view.expectSaved()
    for (const cpus of (await setting('cpus')) === 1 ? [0, 1] : [1, 0]) {
      await view.setCpus(cpus)
      await view.save()
      await expectReport(({ groups }) => groups.get('')?.['cpus'], cpus)
      await view.expectSaved()
    }

    // Whom a linked client folds for is the account's: all of its clients are told.
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Account of / })
      .click()
    const passkey = '0123456789abcdef0123456789abcdef'
    const save = page.getByRole('main').getByRole('button', { name: 'Save', exact: true })
    for (const [label, typed, key, value] of [
      ['User name', 'Zoë 夜', 'user', 'Zoë 夜'],
      ['Team', '42', 'team', 42],
      ['Passkey', passkey, 'passkey', passkey],
    ] as const) {
      await page.getByRole('main').getByLabel(label, { exact: true }).fill(typed)
      await save.click()
      await expectReport(({ config }) => config[key], value)
    }
    await page.getByRole('main').getByRole('button', { name: /Cause/ }).click()
    await page.getByRole('option', { name: 'Cancer' }).click()
    await save.click()
    await expectReport(({ config }) => config['cause'], 'cancer')
  })

  test('a client is unlinked through it, and linked again', async ({ page: local, link, remote, startNode }) => {
    const node = await startNode()
    const { network } = await link(node)
    const page = await remote(network)
    const name = await nameOf()
    await moveTo(page, node.host)
    await expectObedience(page)
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('alertdialog', { name: 'Unlink machine?' }).getByRole('button', { name: 'Yes' }).click()
    await expect(machineCalled(page, name)).toHaveCount(0)
    await expectReport(({ info }) => info['account'], '')
    const { account } = await signInAtApi(network.apiUrl, network.account)
    await local.getByRole('button', { name: `Actions for ${name}` }).click()
    await local.getByRole('menuitem', { name: 'Settings' }).click()
    await local.getByRole('button', { name: 'Link', exact: true }).click()
    await expectReport(({ info }) => info['account'], (await account()).id)
    await expectObedience(page)
  })
})
