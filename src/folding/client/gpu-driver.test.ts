import { describe, expect, it, test } from 'vitest'
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import { driverHelp, driverPlace, hasDriver, lacksDriver } from './gpu-driver.ts'
import { gpuName, gpuVendor } from './resources.ts'

function info(gpu: Readonly<Record<string, unknown>>, os = 'linux'): ClientInfo {
  return { os, gpus: { a: gpu } }
}

describe('a GPU', () => {
  it('lacks its driver when it is listed as not supported, without one', () => {
    const driver = { platform: 0, device: 0 }
    expect(
      [{ supported: false }, { supported: false, opencl: driver }, { supported: true }].map(gpu => [
        lacksDriver(info(gpu), 'a'),
        hasDriver(gpu),
      ]),
    ).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
    expect(lacksDriver(info({}), 'b')).toBe(false)
  })

  test.each<[Readonly<Record<string, unknown>>, string, RegExp]>([
    [{ type: 'nvidia' }, 'win32', /NVIDIA’s website/],
    [{ vendor: 0x10de }, 'linux', /nvidia-smi/],
    [{ type: 'amd' }, 'windows', /Adrenalin/],
    [{ type: 'amd' }, 'linux', /ROCm/],
    [{ type: 'intel' }, 'linux', /intel-opencl-icd/],
    [{ type: 'amd' }, 'macosx', /GPUs of Macs/],
    [{ type: 'other' }, 'freebsd', /newest driver of its vendor/],
  ])('%j on %s has advice of its own about its driver', (gpu, os, words) => {
    expect(driverHelp(driverPlace(info(gpu, os), 'a'))).toMatch(words)
  })

  it.each([
    [{ description: 'gfx1030', vendor: 0x1002, device: 0x73af }, 'Radeon RX 6900 XT'],
    [{ description: 'gfx90a:sramecc+:xnack-', vendor: 0x1002, device: 0x740f }, 'Instinct MI210'],
    [{ vendor: 0x1002, device: 0x66af }, 'Radeon VII'],
    [{ description: 'gfx9999', vendor: 0x1002, device: 1 }, 'gfx9999'],
    [{ description: 'gfx1030', vendor: 0x10de, device: 0x73af }, 'gfx1030'],
    [{ description: 'Navi 21 [RX 6900 XT]', vendor: 0x1002, device: 0x66af }, 'Navi 21 [RX 6900 XT]'],
  ])('has the model of its PCI id where its description is a code: %j [11.15]', (gpu, name) => {
    expect(gpuName(info(gpu), 'a')).toBe(name)
  })

  it('has the name of its vendor without a description, and its id when that is not known either', () => {
    expect(
      [{ vendor: 32_902 }, { type: 'amd' }, { type: 'unknown', vendor: 5140 }, { type: 'unknown' }, {}].map(gpu => [
        gpuVendor(gpu),
        gpuName(info(gpu), 'a'),
      ]),
    ).toEqual([
      ['Intel', 'Intel GPU'],
      ['AMD', 'AMD GPU'],
      ['Microsoft', 'Microsoft GPU'],
      [undefined, 'a'],
      [undefined, 'a'],
    ])
  })

  it('is told apart from its twin by the slot', () => {
    const twins: ClientInfo = {
      gpus: { 'gpu:03:00:00': { description: 'x' }, 'gpu:01:04:00:00': { description: 'x' }, 'gpu:05:00:00': {} },
    }
    const names = ['gpu:03:00:00', 'gpu:01:04:00:00', 'gpu:05:00:00'].map(id => gpuName(twins, id))
    expect(names).toEqual(['x (03)', 'x (01:04)', 'gpu:05:00:00'])
  })
})
