/*
 * A client's details, for display and for bug reports. They include neither passkey nor user.
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo, Gpu } from '../../protocol/client/client-data.ts'
import { osName } from './client.ts'
import { formatHex, formatNumber, formatValue, UNKNOWN } from '../text/format.ts'
import { ownValue, record, text } from '../shared/read.ts'
import { gpuIds, gpuOf, gpuSlot, gpuVendor, ownNameOf } from './resources.ts'

/** A label and a value; `???` when unknown. */
export type Detail = { readonly name: string; readonly value: string; readonly isCode?: boolean }
export type DetailGroup = { readonly title: string; readonly details: readonly Detail[] }

/** Client, CPU, and each GPU (docs/product.md §2). */
export function detailGroups(info: ClientInfo | undefined): readonly DetailGroup[] {
  return [
    {
      title: t`Machine`,
      details: [
        { name: t`Hostname`, value: formatValue(info?.hostname) },
        { name: t`OS`, value: formatValue(osName(info)) },
        { name: t`Client Version`, value: formatValue(info?.version) },
        { name: t`OS Version`, value: formatValue(info?.os_version) },
        { name: t`Build Mode`, value: formatValue(info?.mode) },
        { name: t`Revision`, value: formatValue(info?.revision), isCode: true },
        { name: t`Has Battery`, value: formatValue(info?.has_battery) },
        { name: t`On Battery`, value: formatValue(info?.on_battery) },
      ],
    },
    {
      title: 'CPU',
      details: [
        { name: t`Description`, value: formatValue(info?.cpu_brand) },
        { name: t`Cores`, value: formatNumber(info?.cpus) },
        { name: t`Type`, value: formatValue(info?.cpu) },
      ],
    },
    ...gpuIds(info).map(id => ({
      title: ownNameOf(info, id) ?? `GPU ${gpuSlot(id)}`,
      details: gpuDetails(gpuOf(info, id)),
    })),
  ]
}

function gpuDetails(gpu: Gpu | undefined): readonly Detail[] {
  return [
    { name: t`Description`, value: formatValue(gpu?.description) },
    { name: t`Vendor`, value: formatValue(gpuVendor(gpu)) },
    { name: t`Supported`, value: formatValue(gpu?.supported) },
    { name: t`UUID`, value: formatValue(gpu?.uuid), isCode: true },
    { name: t`PCI Device ID`, value: formatHex(gpu?.device), isCode: true },
    { name: t`PCI Vendor ID`, value: formatHex(gpu?.vendor), isCode: true },
    { name: t`OpenCL`, value: driverText(ownValue(gpu, 'opencl')) },
    { name: 'CUDA', value: driverText(ownValue(gpu, 'cuda')) },
    { name: 'HIP', value: driverText(ownValue(gpu, 'hip')) },
  ]
}

/** 'Compute 8.9, driver 12.4'; a GPU without such a driver does not report it. */
function driverText(driver: unknown): string {
  return record(driver) === undefined
    ? t`Not supported`
    : t`Compute ${text(ownValue(driver, 'compute')) ?? UNKNOWN}, driver ${text(ownValue(driver, 'driver')) ?? UNKNOWN}`
}

/** All details as text, for a bug report. `at`: when they were read, as text. */
export function detailsText(groups: readonly DetailGroup[], at: string): string {
  return [
    t`Machine details, ${at}`,
    ...groups.map(({ title, details }) =>
      [title, ...details.map(({ name, value }) => `  ${name}: ${value.replaceAll(/\s+/g, ' ')}`)].join('\n'),
    ),
  ].join('\n\n')
}
