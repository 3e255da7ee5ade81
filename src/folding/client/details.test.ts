import { describe, expect, it } from 'vitest'
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import { detailGroups, detailsText } from './details.ts'

const info: ClientInfo = {
  hostname: 'attic',
  os: 'linux',
  os_version: '6.18',
  version: '8.5.7',
  mode: 'Release',
  revision: 'abc',
  has_battery: false,
  on_battery: false,
  cpu: 'amd64',
  cpu_brand: 'A processor',
  cpus: 16,
  gpus: {
    'gpu:01:00:00': {
      type: 'nvidia',
      description: 'AD102 [GeForce RTX 4090]',
      supported: true,
      uuid: '0123',
      vendor: 4318,
      device: 9860,
      cuda: { compute: '8.9', driver: '12.4' },
      opencl: { compute: '3.0' },
    },
    'gpu:00:02:00': { description: 'Old', supported: false },
  },
}

function valuesOf(clientInfo: ClientInfo | undefined) {
  return Object.fromEntries(
    detailGroups(clientInfo).map(({ title, details }) => [
      title,
      Object.fromEntries(details.map(({ name, value }) => [name, value])),
    ]),
  )
}

describe('the details of a client', () => {
  it('are the reported values, with ids in hex and driver versions [2.37, 2.38, 2.39]', () => {
    expect(valuesOf(info)).toEqual({
      Machine: {
        Hostname: 'attic',
        OS: 'Linux',
        'Client Version': '8.5.7',
        'OS Version': '6.18',
        'Build Mode': 'Release',
        Revision: 'abc',
        'Has Battery': 'No',
        'On Battery': 'No',
      },
      CPU: { Description: 'A processor', Cores: '16', Type: 'amd64' },
      'GPU 00:02:00': {
        Description: 'Old',
        Vendor: '???',
        Supported: 'No',
        UUID: '???',
        'PCI Device ID': '???',
        'PCI Vendor ID': '???',
        OpenCL: 'Not supported',
        CUDA: 'Not supported',
        HIP: 'Not supported',
      },
      'GPU 01:00:00': {
        Description: 'AD102 [GeForce RTX 4090]',
        Vendor: 'NVIDIA',
        Supported: 'Yes',
        UUID: '0123',
        'PCI Device ID': '0x2684',
        'PCI Vendor ID': '0x10de',
        OpenCL: 'Compute 3.0, driver ???',
        CUDA: 'Compute 8.9, driver 12.4',
        HIP: 'Not supported',
      },
    })
  })

  it('are ??? when unknown', () => {
    expect(Object.values(valuesOf(undefined)).flatMap(group => Object.values(group))).toEqual(
      Array.from({ length: 11 }, () => '???'),
    )
  })

  it('are text with one line per value, whatever the values contain', () => {
    const lines = detailsText(
      detailGroups({ ...info, hostname: 'attic\n  Supported: Yes', gpus: {} }),
      '2026-11-20T12:00:00Z',
    ).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'Machine details, 2026-11-20T12:00:00Z',
      '',
      'Machine',
      '  Hostname: attic Supported: Yes',
    ])
  })
})
