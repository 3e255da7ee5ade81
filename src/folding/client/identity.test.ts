import { describe, expect, it } from 'vitest'
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import { differenceText, distinctNames, type Namesake } from './identity.ts'
import { clonesOf, idOfKey, isOtherComputer, clientKey, traitsOf, type Traits } from './client-key.ts'

const INFO: ClientInfo = { hostname: 'attic', os: 'linux', cpu_brand: 'AMD Ryzen 9', cpus: 16, pid: 500 }
function traits(change: ClientInfo = {}) {
  return traitsOf({ ...INFO, ...change })
}

describe('two clients of one id', () => {
  it.each<readonly [string, ClientInfo, boolean]>([
    ['nothing', {}, false],
    ['the process', { pid: 501 }, false],
    ['the host name', { hostname: 'cellar' }, true],
    ['the system', { os: 'win32' }, true],
    ['the CPU', { cpu_brand: 'Intel Core' }, true],
    ['the number of CPUs', { cpus: 8 }, true],
  ])('that differ in %s run on different computers: %j %s', (_, change, isOther) => {
    expect(isOtherComputer(traits(), traits(change))).toBe(isOther)
    expect(
      clientKey('m', '@a:7396', traits(), 'computer') === clientKey('m', '@b:7396', traits(change), 'computer'),
    ).toBe(!isOther)
  })

  it('are not told apart by what one of them does not report', () => {
    expect(isOtherComputer(traits(), traitsOf({ cpus: 16 }))).toBe(false)
    expect(clientKey('m', '@a:7396', traitsOf(undefined), 'computer')).toBeUndefined()
  })

  it('have keys from which their id is read, and how they are told apart', () => {
    const computer = clientKey('m-_1', '@a:7396', traits(), 'computer') ?? ''
    const connection = clientKey('n', '@a:7396', traits(), 'connection') ?? ''
    expect([computer, connection].map(idOfKey)).toEqual(['m-_1', 'n'])
    expect(connection).toBe(clientKey('n', '@a:7396', traits({ pid: 7, hostname: 'other' }), 'connection'))
    expect(clonesOf([computer, connection, 'plain'])).toEqual({ 'm-_1': 'computer', n: 'connection' })
    expect(clientKey('m', '@a:7396', traits(), undefined)).toBe('m')
  })

  it('are described by what they differ in', () => {
    const at = (address: string | undefined, of: Traits) => ({ id: 'm', address, traits: of })
    const reference = at('10.0.0.6:7396', traits())
    const other = traits({ hostname: 'cellar', os: 'win32', cpu_brand: 'Intel', cpus: 1, pid: 7 })
    expect(differenceText(at('10.0.0.7:7396', other), reference)).toBe('cellar, Windows, Intel, 1 CPU, 10.0.0.7:7396')
    expect(differenceText(at(undefined, traits({ pid: 7 })), reference)).toBe('process 7')
    expect(differenceText(at(undefined, traitsOf(undefined)), reference)).toBe('')
  })
})

describe('clients of one name', () => {
  const client = (more: Partial<Namesake & { name: string }>): Namesake & { readonly name: string } => ({
    name: 'rig',
    id: undefined,
    address: undefined,
    traits: traits(),
    ...more,
  })

  it.each<readonly [string, readonly Partial<Namesake>[], readonly string[]]>([
    [
      'their host names',
      [{ traits: traits() }, { traits: traits({ hostname: 'cellar' }) }],
      ['rig (attic)', 'rig (cellar)'],
    ],
    ['their addresses', [{ address: 'a:7396' }, { address: 'b:7396' }], ['rig (a:7396)', 'rig (b:7396)']],
    ['their systems', [{}, { traits: traits({ os: 'win32' }) }], ['rig (Linux)', 'rig (Windows)']],
    ['their CPUs', [{}, { traits: traits({ cpus: 8 }) }], ['rig (16 CPUs)', 'rig (8 CPUs)']],
    [
      'the beginning of their ids, where one of them is not known otherwise',
      [{ id: 'abcde1', traits: traitsOf(undefined) }, { id: 'abcde2' }],
      ['rig (ID abcde1)', 'rig (ID abcde2)'],
    ],
    ['numbers, where nothing else does', [{ id: 'same' }, { id: 'same' }], ['rig (#1)', 'rig (#2)']],
  ])('are told apart by %s', (_, clients, names) => {
    expect(distinctNames(clients.map(client))).toEqual(names)
  })

  it('are marked only where another one has the name [4.15]', () => {
    const others = [client({ address: 'a:7396' }), client({ name: 'nas' }), client({ address: 'b:7396' })]
    expect(distinctNames(others)).toEqual(['rig (a:7396)', 'nas', 'rig (b:7396)'])
  })
})
