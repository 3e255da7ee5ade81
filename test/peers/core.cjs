/*
 * A core that computes nothing: for as many seconds as its work unit says, it reports progress, and then it writes results.
 * It goes on from its checkpoint when it is started again.
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const EXIT_FINISHED = 100
const EXIT_INTERRUPTED = 102
const STEPS = 1_000_000

if (process.argv.includes('--info')) process.exit(0)

function option(name) {
  return process.argv[process.argv.indexOf(name) + 1]
}
const folder = option('-dir')
const client = Number(option('-lifeline'))
function pathOf(name) {
  return join(folder, name)
}
const { seconds } = JSON.parse(readFileSync(pathOf('wudata_01.dat'), 'utf8'))
const checkpoint = pathOf('checkpoint')
const before = existsSync(checkpoint) ? Number(readFileSync(checkpoint, 'utf8')) : 0
const began = Date.now()
function share() {
  return Math.min(1, before + (Date.now() - began) / 1000 / seconds)
}

/** Type of the core, 80 bytes for a name, all steps, steps done. */
function reportProgress() {
  const report = Buffer.alloc(92)
  report.writeUInt32LE(0xaa, 0)
  report.writeUInt32LE(STEPS, 84)
  report.writeUInt32LE(Math.floor(share() * STEPS), 88)
  writeFileSync(pathOf('wuinfo.new'), report)
  renameSync(pathOf('wuinfo.new'), pathOf('wuinfo_01.dat'))
}

function interrupt() {
  writeFileSync(checkpoint, String(share()))
  process.exit(EXIT_INTERRUPTED)
}
process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)

// The client that started it has been killed.
function isAlone() {
  try {
    return !process.kill(client, 0)
  } catch {
    return true
  }
}

setInterval(() => {
  if (isAlone()) process.exit(EXIT_INTERRUPTED)
  reportProgress()
  if (share() < 1) return
  writeFileSync(pathOf('wuresults_01.dat'), 'nothing was computed\n'.repeat(1000))
  process.exit(EXIT_FINISHED)
}, 500)
