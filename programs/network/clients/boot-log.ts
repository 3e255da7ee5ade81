import { chanceBetween } from './random.ts'
import { formatLine } from './log.ts'
import type { ClientProfile } from './types.ts'

type Boot = {
  readonly id: string
  readonly name: string
  readonly seed: number
  readonly pid: number
  readonly at: number
  readonly profile: ClientProfile
}

const WIDTH = 12

function titled(title: string): string {
  return ` ${title} `.padStart(37, '*').padEnd(67, '*')
}

function named(entries: readonly (readonly [string, string | number | boolean])[]): readonly string[] {
  return entries.map(([name, value]) => `${name.padStart(WIDTH - 1)}: ${String(value)}`)
}

/** Lines that a client writes when it starts. The first line of a real log is never replayed, so it is not here. */
export function bootLines({ id, name, seed, pid, at, profile }: Boot): readonly string[] {
  const memory = chanceBetween(7, 63, seed, 'memory')
  const texts = [
    ...named([
      ['Version', profile.version],
      ['Homepage', 'https://foldingathome.org/'],
      ['License', 'GPL-3.0-or-later'],
      ['Platform', `${profile.os} ${profile.osVersion}`],
      ['Bits', 64],
      ['Mode', 'Release'],
      ['Note', 'a simulated client of Foldboard'],
    ]),
    titled('System'),
    ...named([
      ['CPU', profile.cpuBrand],
      ['CPUs', profile.cpus],
      ['Memory', `${memory.toFixed(2)}GiB`],
      ['Free Memory', `${(memory * 0.7).toFixed(2)}GiB`],
      ['OS Version', profile.osVersion],
      ['Has Battery', profile.hasBattery],
      ['On Battery', profile.onBattery],
      ['Hostname', name],
      ['UTC Offset', 0],
      ['PID', pid],
      ['CWD', '/var/lib/fah-client'],
      ['Exec', '/usr/bin/fah-client'],
    ]),
    '*'.repeat(67),
  ].map(text => formatLine(at, 'I1', text))
  const gpus = Object.entries(profile.gpus).map(([gpu, { description, supported }]) =>
    formatLine(at, 'I3', `${gpu} ${description}${supported ? '' : ' (unsupported)'}`),
  )
  return [
    ...texts,
    formatLine(at, 'I2', '<config/>'),
    formatLine(at, 'I1', 'Opening Database'),
    formatLine(at, 'I1', `F@H ID = ${id}`),
    formatLine(at, 'I3', 'Loading default resource group'),
    formatLine(at, 'I3', `Loaded ${profile.units.length} wus.`),
    formatLine(at, 'I2', 'Listening for HTTP on 127.0.0.1:7396'),
    ...gpus,
  ]
}
