/*
 * Drivers of GPUs. A client reports a GPU as supported only when its kind is known and a driver was found for it; a GPU
 * that lost its driver stays in the list, as not supported and without a driver (docs/protocol.md §3).
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo, Gpu } from '../../protocol/client/client-data.ts'
import { ownValue, record, text } from '../shared/read.ts'
import { gpuOf, gpuVendor } from './resources.ts'

/** Whether the client found a driver that can compute: CUDA, HIP or OpenCL. */
export function hasDriver(gpu: Gpu | undefined): boolean {
  return ['cuda', 'hip', 'opencl'].some(name => record(ownValue(gpu, name)) !== undefined)
}

/** Whether a GPU that the client reports can compute nothing for want of a driver. */
export function lacksDriver(info: ClientInfo | undefined, id: string): boolean {
  const gpu = gpuOf(info, id)
  return gpu !== undefined && gpu.supported === false && !hasDriver(gpu)
}

/** A GPU's vendor and the system that it is in, by which `driverHelp` is chosen. */
export function driverPlace(info: ClientInfo | undefined, id: string): string {
  return `${gpuVendor(gpuOf(info, id)) ?? ''} ${systemOf(info)}`
}

/** What to do about a missing driver. `place`: of `driverPlace`. */
export function driverHelp(place: string): string {
  return HELP[place] ?? GENERAL
}

/** Of a GPU that has a driver and is not supported. `gpu`: its name and place. */
export function unsupportedText(group: string, gpu: string): string {
  return t`Group “${group}” uses ${gpu}. It has a driver, but the project does not know this kind of GPU, or not yet.`
}

type System = 'windows' | 'linux' | 'macos' | ''

function systemOf(info: ClientInfo | undefined): System {
  const os = text(info?.os)?.toLowerCase() ?? ''
  if (os.startsWith('win')) return 'windows'
  if (os.startsWith('mac') || os === 'osx' || os === 'darwin') return 'macos'
  return os === 'linux' ? 'linux' : ''
}

const GENERAL = t`Restart the computer. If the GPU is still not usable, install the newest driver of its vendor, with its part for computing (OpenCL, CUDA or HIP).`

const HELP: Readonly<Record<string, string>> = {
  'NVIDIA windows': t`Restart the computer. If that does not help, install the driver from NVIDIA’s website: Windows Update installs one that lacks CUDA and OpenCL.`,
  'NVIDIA linux': t`Run nvidia-smi: if it fails, the loaded driver and the installed one differ, as after an update; restart the computer. If it works, install the OpenCL part of the same version, such as nvidia-opencl-icd or libnvidia-compute.`,
  'AMD windows': t`Restart the computer. If that does not help, install AMD Software: Adrenalin Edition from AMD’s website; Windows Update installs a driver without OpenCL and HIP.`,
  'AMD linux': t`Restart the computer if kernel or driver were updated. Run clinfo: if it lists no device, install AMD’s OpenCL or HIP (ROCm), and let the client’s user into the groups render and video.`,
  'Intel windows': t`Restart the computer. If that does not help, install the graphics driver from Intel’s website.`,
  'Intel linux': t`Run clinfo: if it lists no device, install Intel’s compute runtime (intel-opencl-icd), and let the client’s user into the group render.`,
  'NVIDIA macos': t`Folding@home does not use the GPUs of Macs.`,
  'AMD macos': t`Folding@home does not use the GPUs of Macs.`,
  'Intel macos': t`Folding@home does not use the GPUs of Macs.`,
  'Apple macos': t`Folding@home does not use the GPUs of Macs.`,
}
