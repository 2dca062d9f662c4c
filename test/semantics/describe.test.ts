// Memory in the words of the source: what a trace calls the cells of heap objects, and where pointers lead.
import { expect, test } from 'vitest'
import { oracle, replay } from '../../src/semantics/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const parser = await testParser()

/** What changes, step by step, on the way to the failing assertion. */
const changes = (text: string): readonly string[] => {
  const raw = compileProgram(parser, `#include <assert.h>\n#include <stdlib.h>\n${text}`)
  const { trace } = oracle(raw, 'assert')
  return replay(raw, trace!, 'assert').steps.flatMap((step) =>
    step.changes.map(({ name, text: to }) => `${name} = ${to}`),
  )
}

test('members of structures on the heap have their names, and objects the name of their type', () => {
  const text = `
    struct point { int x, y; };
    struct node { int value; struct point at; struct node *next; int few[3]; };
    struct node *list;
    int main(void) {
      for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        n->at.y = 7;
        n->few[2] = 8;
        n->next = list;
        list = n;
      }
      assert(0);
    }`
  const seen = changes(text)
  expect(seen).toContain('node#1.at.y = 7')
  expect(seen).toContain('node#1.few[2] = 8')
  expect(seen).toContain('node#2.next = &node#1')
  expect(seen).toContain('list = &node#2')
})

test('arrays, several places of allocation, and pointers into objects', () => {
  const text = `
    struct pair { int a, b; };
    struct pair *first, *second;
    int *numbers, *inside;
    int main(void) {
      first = malloc(sizeof(struct pair));
      second = malloc(3 * sizeof(struct pair));
      numbers = malloc(4 * sizeof(int));
      first->b = 1;
      second[2].b = 2;
      numbers[3] = 3;
      inside = &second[1].b;
      assert(0);
    }`
  const seen = changes(text)
  expect(seen).toContain('first = &pair#1')
  expect(seen).toContain('pair#1.b = 1')
  expect(seen).toContain('pair#2[2].b = 2')
  expect(seen).toContain('heap#1[3] = 3')
  expect(seen).toContain('inside = &pair#2[1].b')
})

test('a pointer to an object is not one to its first member, and numbers in the guise of pointers are numbers', () => {
  const text = `
    struct account { int owner, balance; } account;
    struct account *p; int *q; void *handle;
    int main(void) { p = &account; q = &account.balance; handle = (void *)3; assert(0); }`
  expect(changes(text)).toEqual(['p = &account', 'q = &account.balance', 'handle = 3'])
})
