/**
 * Makes all artefacts of a release from a clean clone: `npm run release`, or `npm run release -- --out FOLDER`. The same commit gives the
 * same files. CONTRIBUTING.md says what comes before it.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const named = parseArgs({ options: { out: { type: 'string' } } }).values.out
const out = resolve(named ?? join(root, 'build/release'))
if (named !== undefined && existsSync(out) && readdirSync(out).length > 0)
  throw new Error(`${out} is not empty: choose a new folder with --out.`)

/** @param {string} command @param {string[]} words @param {string} cwd */
function run(command, words, cwd) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, env })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

const time = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).stdout.trim()
// Permissions of files that are made are the same for everybody.
process.umask(0o022)
/** Programs that write times into files take this one. */
const env = { ...process.env, SOURCE_DATE_EPOCH: time }

/** What a person reads of a version: its part of CHANGELOG.md. @param {string} version */
function notesOf(version) {
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const parts = changes.split(/^(?=## \[)/m)
  const part = parts.find(text => text.startsWith(`## [${version}]`))
  if (part === undefined)
    throw new Error(
      `CHANGELOG.md has no part "## [${version}]": rename "## [Unreleased]", and begin a new one above it.`,
    )
  return part.trim()
}

/** An archive whose bytes follow from its files alone. @param {string} folder @param {string} file */
function archive(folder, file) {
  const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--exclude=*.map']
  run('tar', [...same, '-I', 'gzip -n', '-cf', join(out, file), '-C', folder, '.'], root)
}

/** @param {string} folder @returns {number} */
function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Of a package.json: with them, npm also installs those that other packages can do without. @param {string} file */
function withoutDevelopment(file) {
  const { devDependencies: _, scripts: __, ...description } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify(description, undefined, 2)}\n`)
}

if (run('git', ['status', '--porcelain'], root) !== '')
  throw new Error('There are changes that are not committed: a release is made of a commit.')
/** @type {{ version: string }} */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const notes = notesOf(version)
const work = mkdtempSync(join(tmpdir(), 'foldboard-release-'))
try {
  if (named === undefined) rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const clone = join(work, 'foldboard')
  console.log(`Foldboard ${version}: installing and building a clean clone …`)
  run('git', ['clone', '--quiet', root, clone], work)
  run(process.execPath, ['scripts/set-up.mjs', '--build'], clone)

  console.log('Packing …')
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', out], clone)
  const sources = join(out, `foldboard-source-${version}.tar.gz`)
  run('git', ['archive', '--format=tar.gz', `--prefix=foldboard-${version}/`, '-o', sources, 'HEAD'], clone)
  archive(join(clone, 'dist'), `foldboard-web-root-${version}.tar.gz`)
  archive(join(clone, 'packaging'), `foldboard-packaging-${version}.tar.gz`)
  const app = join(work, 'home-assistant')
  cpSync(join(clone, 'packaging/home-assistant'), join(app, 'foldboard'), { recursive: true })
  cpSync(join(out, `foldboard-${version}.tgz`), join(app, 'foldboard/foldboard.tgz'))
  archive(app, `foldboard-home-assistant-${version}.tar.gz`)
  const installed = join(work, 'installed')
  for (const architecture of /** @type {const} */ (['amd64', 'arm64'])) {
    const program = join(installed, architecture, 'foldboard')
    mkdirSync(program, { recursive: true })
    run('tar', ['-xzf', join(out, `foldboard-${version}.tgz`), '-C', program, '--strip-components=1'], work)
    cpSync(join(clone, 'package-lock.json'), join(program, 'package-lock.json'))
    withoutDevelopment(join(program, 'package.json'))
    const cpu = architecture === 'amd64' ? 'x64' : architecture
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--os=linux', '--libc=glibc', `--cpu=${cpu}`], program)
    rmSync(join(program, `node_modules/@libsql/linux-${cpu}-musl`), { recursive: true, force: true })
    // It fails where a package that a program imports is not among those that it needs.
    for (const name of ['foldboard', 'server']) run(process.execPath, [`build/${name}.js`, '--help'], program)
    run(process.execPath, ['scripts/deb.mjs', program, architecture, version, out], clone)
  }
  const program = join(installed, 'amd64/foldboard')
  writeFileSync(
    join(out, `foldboard-${version}.cdx.json`),
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], program)
      // Both are new each time, and nothing refers to them.
      .replace(/^ *"serialNumber": .*\n/m, '')
      .replace(/^ *"timestamp": .*\n/m, ''),
  )
  console.log('Building the demo …')
  run('npm', ['run', 'build:demo'], clone)
  archive(join(clone, 'build/demo'), `foldboard-demo-${version}.tar.gz`)

  const audit = spawnSync('npm', ['audit'], { cwd: program, encoding: 'utf8' })
  const files = readdirSync(out).sort()
  writeFileSync(
    join(out, 'RELEASE.md'),
    `${notes}

### Sizes

| file | size |
| --- | --- |
${files.map(name => `| ${name} | ${megabytes(statSync(join(out, name)).size)} |`).join('\n')}

Installed with all that it needs: ${megabytes(bytesIn(program))}.

### Audit of the packages it needs

${audit.stdout.trim() || 'The registry gave no answer.'}
`,
  )
  const sums = [...files, 'RELEASE.md'].map(
    name =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  console.log(
    `Made in ${out}:\n${sums.join('')}\nTo publish: git tag v${version}, and the files with RELEASE.md as its notes.`,
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}
