/*
 * What common hardware may draw at most, as its maker says: a first guess of what it draws while it folds, which is often less. Loaded
 * when power is shown.
 *
 * GPUs: the power of the whole board (NVIDIA 'total graphics power', AMD 'typical board power', Intel 'TBP'). All were compared with
 * the records of https://www.techpowerup.com/gpu-specs/, as of February 2026. They agree but for these, for which it names the value in
 * parentheses: L40S (300), RX 7900 XT (300), GTX 970 (148), of which other pages confirm the maker's value; Radeon VII (295),
 * V100 SXM2 (250), V100 PCIe (300), Arc A580 (175), whose values in the table are not confirmed.
 * CPUs: the thermal design power, or processor base power, compared with the MIT-licensed table of CodeCarbon
 * (https://github.com/mlco2/codecarbon, codecarbon/data/hardware/cpu_power.csv), which has 418 of 432. Of the thirteen K models of Intel's
 * generations 12 to 14 and Core Ultra that it does not have the table has the base power as Intel ARK names it, not confirmed anew; of the
 * i7-12700K it has the turbo power (190).
 */
import type { ClientInfo } from '../../protocol/client/client-data.ts'
import { gpuIds, gpuModel, gpuOf, gpuVendor } from '../client/resources.ts'
import { text } from '../shared/read.ts'
import { NO_PROFILE, type Figure, type PowerProfile } from './power.ts'

/** Watts, and the models that have them, as they are named in the descriptions of clients. */
type Table = readonly (readonly [watts: number, models: string])[]

const GPU_WATTS: Table = [
  [700, 'H100 80GB HBM3, H100 SXM5'],
  [600, 'RTX PRO 6000'],
  [575, 'RTX 5090'],
  [450, 'RTX 4090, RTX 3090 Ti'],
  [425, 'RTX 4090 D'],
  [400, 'A100-SXM4, A100 SXM4'],
  [360, 'RTX 5080'],
  [355, 'RX 7900 XTX'],
  [350, 'RTX 3090, RTX 3080 Ti, L40S, H100 PCIe'],
  [335, 'RX 6950 XT'],
  [320, 'RTX 4080, RTX 4080 SUPER, RTX 3080'],
  [315, 'RX 7900 XT'],
  [304, 'RX 9070 XT'],
  [300, 'RTX 5070 Ti, RTX A6000, RTX 6000 Ada, A40, L40, RX 6900 XT, RX 6800 XT, Radeon VII'],
  [300, 'A100 80GB PCIe, A100 PCIe 80GB, V100-SXM2, V100 SXM2, P100 SXM2, Tesla K80'],
  [295, 'Vega 64'],
  [290, 'RTX 3070 Ti'],
  [285, 'RTX 4070 Ti, RTX 4070 Ti SUPER'],
  [280, 'TITAN RTX'],
  [263, 'RX 7800 XT'],
  [260, 'RX 7900 GRE, Quadro RTX 8000, Quadro RTX 6000'],
  [250, 'RTX 5070, RTX 2080 Ti, RTX 2080 SUPER, GTX 1080 Ti, GTX 980 Ti, TITAN Xp, TITAN X, TITAN V'],
  [250, 'RTX 5000 Ada, Tesla P100, Tesla P40, A100-PCIE-40GB, A100 PCIe 40GB, V100 PCIe, RX 6800, RX 6750 XT'],
  [245, 'RX 7700 XT'],
  [230, 'RX 6700 XT, RTX A5000, RTX A5500'],
  [225, 'RX 5700 XT, Arc A770, Arc A750'],
  [220, 'RTX 4070 SUPER, RTX 3070, RX 9070'],
  [215, 'RTX 2080, RTX 2070 SUPER'],
  [210, 'Vega 56, RTX 4500 Ada'],
  [200, 'RTX 4070, RTX 3060 Ti, RTX A4500'],
  [190, 'RX 7600 XT, Arc B580'],
  [185, 'Arc A580, RX 580'],
  [180, 'RTX 5060 Ti, GTX 1080, GTX 1070 Ti, RX 5700'],
  [176, 'RX 6650 XT'],
  [175, 'RTX 2070, RTX 2060 SUPER, RX 590, RX 6700'],
  [170, 'RTX 3060'],
  [165, 'RX 7600, GTX 980, A30'],
  [160, 'RTX 4060 Ti, RTX 2060, RX 6600 XT, RX 9060 XT'],
  [150, 'GTX 1070, RX 480, RX 570, RX 5600 XT, A10, Arc B570'],
  [145, 'RTX 5060, GTX 970'],
  [140, 'RTX A4000'],
  [132, 'RX 6600'],
  [130, 'RTX 5050, RTX 3050, RX 5500 XT, RTX 4000 Ada'],
  [125, 'GTX 1660 SUPER'],
  [120, 'GTX 1660, GTX 1660 Ti, GTX 1060, GTX 960, RX 470'],
  [115, 'RTX 4060'],
  [107, 'RX 6500 XT'],
  [100, 'GTX 1650 SUPER'],
  [90, 'GTX 950'],
  [75, 'GTX 1650, GTX 1050 Ti, GTX 1050, Tesla P4, Arc A380'],
  [72, 'L4'],
  [70, 'RTX 3050 6GB, Tesla T4, RTX A2000, RTX 2000 Ada, RTX 4000 SFF Ada'],
  [60, 'GTX 750 Ti'],
  [53, 'RX 6400'],
  [50, 'RX 550'],
  [30, 'GT 1030'],
]

const CPU_WATTS: Table = [
  [500, 'EPYC 9755, EPYC 9965'],
  [400, 'EPYC 9475F, EPYC 9565, EPYC 9575F, EPYC 9655, EPYC 9655P, EPYC 9684X, EPYC 9745'],
  [390, 'EPYC 9825, EPYC 9845'],
  [360, 'EPYC 9474F, EPYC 9554, EPYC 9554P, EPYC 9555, EPYC 9555P, EPYC 9654, EPYC 9654P, EPYC 9754'],
  [360, 'EPYC 9754S'],
  [350, 'Ryzen Threadripper 7960X, Ryzen Threadripper 7970X, Ryzen Threadripper 7980X'],
  [350, 'Ryzen Threadripper 9960X, Ryzen Threadripper 9970X, Ryzen Threadripper 9980X'],
  [350, 'Ryzen Threadripper PRO 7945WX, Ryzen Threadripper PRO 7955WX, Ryzen Threadripper PRO 7965WX'],
  [350, 'Ryzen Threadripper PRO 7975WX, Ryzen Threadripper PRO 7985WX, Ryzen Threadripper PRO 7995WX'],
  [350, 'Ryzen Threadripper PRO 9945WX, Ryzen Threadripper PRO 9955WX, Ryzen Threadripper PRO 9965WX'],
  [350, 'Ryzen Threadripper PRO 9975WX, Ryzen Threadripper PRO 9985WX, Ryzen Threadripper PRO 9995WX'],
  [340, 'EPYC 9734'],
  [320, 'EPYC 9174F, EPYC 9175F, EPYC 9184X, EPYC 9274F, EPYC 9275F, EPYC 9374F, EPYC 9375F, EPYC 9384X'],
  [320, 'EPYC 9645'],
  [300, 'EPYC 9365, EPYC 9455, EPYC 9455P, EPYC 9535'],
  [290, 'EPYC 9454, EPYC 9454P, EPYC 9634'],
  [280, 'EPYC 75F3, EPYC 7763, EPYC 9354, EPYC 9354P, EPYC 9355, EPYC 9355P, EPYC 9534'],
  [280, 'Ryzen Threadripper 3960X, Ryzen Threadripper 3970X, Ryzen Threadripper 3980X'],
  [280, 'Ryzen Threadripper 3990X, Ryzen Threadripper PRO 3945WX, Ryzen Threadripper PRO 3955WX'],
  [280, 'Ryzen Threadripper PRO 3975WX, Ryzen Threadripper PRO 3995WX, Ryzen Threadripper PRO 5945WX'],
  [280, 'Ryzen Threadripper PRO 5955WX, Ryzen Threadripper PRO 5965WX, Ryzen Threadripper PRO 5975WX'],
  [280, 'Ryzen Threadripper PRO 5995WX'],
  [250, 'Ryzen Threadripper 2970WX, Ryzen Threadripper 2990WX'],
  [240, 'EPYC 73F3, EPYC 74F3, EPYC 7663, EPYC 7663P'],
  [225, 'EPYC 7453, EPYC 7542, EPYC 7543, EPYC 7543P, EPYC 7642, EPYC 7643, EPYC 7643P, EPYC 7662'],
  [225, 'EPYC 7713, EPYC 7713P, EPYC 7742'],
  [220, 'FX-9370, FX-9590'],
  [210, 'EPYC 9334, EPYC 9335'],
  [200, 'EPYC 7371, EPYC 7443, EPYC 7443P, EPYC 7513, EPYC 7532, EPYC 7552, EPYC 7702, EPYC 7702P'],
  [200, 'EPYC 9124, EPYC 9135, EPYC 9224, EPYC 9254, EPYC 9255'],
  [190, 'EPYC 7343'],
  [180, 'EPYC 72F3, EPYC 7402, EPYC 7402P, EPYC 7413, EPYC 7451, EPYC 7502, EPYC 7502P, EPYC 7551'],
  [180, 'EPYC 7551P, EPYC 7601, Ryzen Threadripper 1900X, Ryzen Threadripper 1920X'],
  [180, 'Ryzen Threadripper 1950X, Ryzen Threadripper 2920X, Ryzen Threadripper 2950X'],
  [170, 'EPYC 7261, EPYC 7281, EPYC 7301, EPYC 7351, EPYC 7351P, EPYC 7401, EPYC 7401P, EPYC 7501'],
  [170, 'Ryzen 9 7900X, Ryzen 9 7950X, Ryzen 9 9950X, Ryzen 9 9950X3D'],
  [155, 'EPYC 7262, EPYC 7302, EPYC 7302P, EPYC 7313, EPYC 7313P, EPYC 7352, EPYC 7452'],
  [140, 'i7-6800K, i7-6850K, i7-6900K'],
  [130, 'EPYC 7303, EPYC 7303P, i7-3820, i7-3910K, i7-3930K, i7-4820K, i7-4930K'],
  [127, 'i9-9900KS'],
  [125, 'EPYC 9015, EPYC 9115, FX-4130, FX-4170, FX-4350, FX-6200, FX-6330, FX-6350, FX-8120, FX-8150'],
  [125, 'FX-8170, FX-8320, FX-8350, FX-8370, Ultra 5 245K, Ultra 7 265K, Ultra 9 285K, i5-10600K'],
  [125, 'i5-10600KF, i5-11600K, i5-11600KF, i5-12600K, i5-13600K, i5-14600K, i7-10700K, i7-10700KF'],
  [125, 'i7-11700K, i7-11700KF, i7-13700K, i7-14700K, i7-14700KF, i9-10850K, i9-10900K, i9-10900KF'],
  [125, 'i9-11900K, i9-11900KF, i9-12900K, i9-13900K, i9-13900KF, i9-14900K, i9-14900KF, i7-12700K'],
  [120, 'EPYC 7203, EPYC 7203P, EPYC 7232P, EPYC 7251, EPYC 7252, EPYC 7272, EPYC 7282, Ryzen 7 7800X3D'],
  [120, 'Ryzen 7 9800X3D, Ryzen 9 7900X3D, Ryzen 9 7950X3D, Ryzen 9 9900X, Ryzen 9 9900X3D'],
  [105, 'Ryzen 5 5600X3D, Ryzen 5 7600X, Ryzen 7 2700X, Ryzen 7 3800X, Ryzen 7 3800XT, Ryzen 7 5700X3D'],
  [105, 'Ryzen 7 5800X, Ryzen 7 5800X3D, Ryzen 7 5800XT, Ryzen 7 7700X, Ryzen 9 3900X, Ryzen 9 3900XT'],
  [105, 'Ryzen 9 3950X, Ryzen 9 5900X, Ryzen 9 5900XT, Ryzen 9 5950X'],
  [95, 'FX-4100, FX-4120, FX-4150, FX-4300, FX-4320, FX-6100, FX-6120, FX-6130, FX-6300, FX-8100, FX-8140'],
  [95, 'FX-8300, FX-8310, FX-8320E, FX-8370E, Ryzen 5 1600X, Ryzen 5 2600X, Ryzen 5 3600X, Ryzen 5 3600XT'],
  [95, 'Ryzen 7 1700X, Ryzen 7 1800X, i5-2300, i5-2310, i5-2320, i5-2400, i5-2500, i5-2500K, i5-2550K'],
  [95, 'i5-8600K, i5-8650K, i5-9600K, i5-9600KF, i7-2600, i7-2600K, i7-2700K, i7-8086K, i7-8700K, i7-9700K'],
  [95, 'i7-9700KF, i9-9900K, i9-9900KF'],
  [91, 'i3-10350K, i3-8350K, i3-9350K, i3-9350KF, i5-6600K, i5-7600K, i7-6700K, i7-7700K'],
  [88, 'i5-4690K, i7-4790K'],
  [84, 'i5-4430, i5-4440, i5-4460, i5-4570, i5-4590, i5-4670, i5-4670K, i5-4690, i7-4770, i7-4770K'],
  [84, 'i7-4771, i7-4790'],
  [77, 'i5-3330, i5-3340, i5-3450, i5-3470, i5-3550, i5-3570, i5-3570K, i7-3770, i7-3770K'],
  [65, 'Ryzen 3 1200, Ryzen 3 1300, Ryzen 3 1300X, Ryzen 3 2200G, Ryzen 3 2300X, Ryzen 3 3100'],
  [65, 'Ryzen 3 3200G, Ryzen 3 3300X, Ryzen 3 4100, Ryzen 3 4300G, Ryzen 3 5305G, Ryzen 3 8300G'],
  [65, 'Ryzen 5 1400, Ryzen 5 1500X, Ryzen 5 1600, Ryzen 5 2400G, Ryzen 5 2500X, Ryzen 5 2600'],
  [65, 'Ryzen 5 3400G, Ryzen 5 3500X, Ryzen 5 3600, Ryzen 5 4500, Ryzen 5 4600G, Ryzen 5 5500'],
  [65, 'Ryzen 5 5600, Ryzen 5 5600G, Ryzen 5 5600X, Ryzen 5 5600XT, Ryzen 5 5605G, Ryzen 5 7400F'],
  [65, 'Ryzen 5 7500F, Ryzen 5 7600, Ryzen 5 7600X3D, Ryzen 5 8400F, Ryzen 5 8500G, Ryzen 5 8600G'],
  [65, 'Ryzen 5 9600, Ryzen 5 9600X, Ryzen 7 1700, Ryzen 7 2700, Ryzen 7 3700X, Ryzen 7 4700G'],
  [65, 'Ryzen 7 5700, Ryzen 7 5700G, Ryzen 7 5700X, Ryzen 7 5705G, Ryzen 7 7700, Ryzen 7 8700F'],
  [65, 'Ryzen 7 8700G, Ryzen 7 9700X, Ryzen 9 7900, i3-10100, i3-10100F, i3-10105, i3-10105F, i3-10300'],
  [65, 'i3-10305, i3-10320, i3-10325, i3-8000, i3-8020, i3-8100, i3-8100F, i3-8120, i3-9000, i3-9100'],
  [65, 'i3-9100F, i5-10400, i5-10400F, i5-10500, i5-10505, i5-10600, i5-11400, i5-11400F, i5-11500'],
  [65, 'i5-11600, i5-6400, i5-6500, i5-6600, i5-7400, i5-7500, i5-7600, i5-8400, i5-8420, i5-8500, i5-8550'],
  [65, 'i5-8600, i5-8650, i5-9400, i5-9400F, i5-9500, i5-9500F, i5-9600, i7-10700, i7-10700F, i7-11700'],
  [65, 'i7-11700F, i7-6700, i7-7700, i7-8670, i7-8700, i7-9700, i7-9700F, i9-10800F, i9-10900, i9-10900F'],
  [65, 'i9-11900, i9-11900F, i9-9900'],
  [62, 'i3-8300, i3-9300, i3-9320'],
  [60, 'i3-7350K'],
  [51, 'i3-6100, i3-6300, i3-6320, i3-7100, i3-7120, i3-7300, i3-7320, i3-7340'],
  [35, 'Ryzen 3 2200GE, Ryzen 3 4300GE, Ryzen 3 5305GE, Ryzen 3 8300GE, Ryzen 5 2400GE, Ryzen 5 4600GE'],
  [35, 'Ryzen 5 5600GE, Ryzen 5 5605GE, Ryzen 5 8500GE, Ryzen 7 4700GE, Ryzen 7 5700GE, Ryzen 7 5705GE'],
  [20, 'FX-7500'],
]

/** Without a table: what a computer draws with its screen off. No maker says so of a whole computer. */
const IDLE_WATTS = { desktop: 50, portable: 10 } as const

function wattsByModel(table: Table): ReadonlyMap<string, number> {
  return new Map(
    table.flatMap(([watts, models]) => models.split(', ').map(model => [model.toLowerCase(), watts] as const)),
  )
}

const gpuWatts = wattsByModel(GPU_WATTS)
const cpuWatts = wattsByModel(CPU_WATTS)

function isWordEnd(letter: string | undefined): boolean {
  return letter === undefined || !/[\da-z]/.test(letter)
}

/** The watts of the longest model that is in a description, as whole words. */
function find(modelWatts: ReadonlyMap<string, number>, description: string): number | undefined {
  const name = description.toLowerCase().replaceAll(/\((?:r|tm)\)/g, '')
  let best = ''
  for (const model of modelWatts.keys()) {
    const at = name.indexOf(model)
    if (at >= 0 && model.length > best.length && isWordEnd(name[at - 1]) && isWordEnd(name[at + model.length]))
      best = model
  }
  return modelWatts.get(best)
}

/** Makers of portable computers choose how much a chip may draw. */
function isPortable(description: string): boolean {
  return /laptop|mobile|max-q/i.test(description)
}

function guessOf(watts: number | undefined): Figure | undefined {
  return watts === undefined ? undefined : { watts, origin: 'guess' }
}

/** What a description of a GPU, such as 'AD102 [GeForce RTX 4090]', lets guess; undefined for models that are not in the table. */
export function guessGpu(description: string): Figure | undefined {
  return isPortable(description) ? undefined : guessOf(find(gpuWatts, description))
}

/** As `guessGpu`, of the brand of a CPU: 'AMD Ryzen 9 5950X 16-Core Processor'. */
export function guessCpu(brand: string): Figure | undefined {
  return guessOf(find(cpuWatts, brand))
}

const guesses = new WeakMap<ClientInfo, PowerProfile>()

/** What is guessed of a machine. The same object for the same info. */
export function guessProfile(info: ClientInfo | undefined): PowerProfile {
  if (info === undefined) return NO_PROFILE
  const cached = guesses.get(info)
  if (cached !== undefined) return cached
  const gpus = gpuIds(info).flatMap(id => {
    const gpu = gpuOf(info, id)
    const figure = guessGpu(`${gpuVendor(gpu) ?? ''} ${gpuModel(info, id)}`)
    return figure === undefined ? [] : [[id, figure] as const]
  })
  const guess = {
    idle: guessOf(info.has_battery === true ? IDLE_WATTS.portable : IDLE_WATTS.desktop),
    cpu: guessCpu(text(info.cpu_brand) ?? ''),
    gpus: Object.fromEntries(gpus),
  }
  guesses.set(info, guess)
  return guess
}
