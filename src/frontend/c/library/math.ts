// <math.h>: what is exact in a few comparisons; the rest is declared and not modelled.
import { c, type LibraryPart } from './part.js'

const HEADER = c`
#ifndef _MATH_H
#define _MATH_H 1
#define HUGE_VAL 1e10000
#define INFINITY 1e10000f
#define NAN (INFINITY - INFINITY)
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define isnan(number) ((number) != (number))
#define isinf(number) ((number) == HUGE_VAL || (number) == -HUGE_VAL)
#define isfinite(number) ((number) - (number) == 0)
extern double fabs(double);
extern float fabsf(float);
extern double fmin(double, double);
extern double fmax(double, double);
extern float fminf(float, float);
extern float fmaxf(float, float);
extern double sqrt(double);
extern float sqrtf(float);
extern double floor(double);
extern double ceil(double);
extern double round(double);
extern double copysign(double, double);
extern double trunc(double);
extern double fmod(double, double);
extern double pow(double, double);
extern double exp(double);
extern double log(double);
extern double log2(double);
extern double log10(double);
extern double sin(double);
extern double cos(double);
extern double tan(double);
extern double atan(double);
extern double atan2(double, double);
#endif
`

/** 0 - x is +0 for both zeros; a NaN compares with nothing. */
const MODELS = c`
double fabs(double number)
{
  return number <= 0 ? 0 - number : number;
}

float fabsf(float number)
{
  return number <= 0 ? 0 - number : number;
}

/* Numbers of 2^52 and more are whole. */
double trunc(double number)
{
  if (number != number || number >= 4503599627370496.0 || number <= -4503599627370496.0 || number == 0)
    return number;
  double whole = (double)(long long)number;
  return whole == 0 && number < 0 ? -0.0 : whole;
}

double floor(double number)
{
  double whole = trunc(number);
  return whole > number ? whole - 1 : whole;
}

double ceil(double number)
{
  double whole = trunc(number);
  return whole < number ? (whole + 1 == 0 ? -0.0 : whole + 1) : whole;
}

double copysign(double number, double sign)
{
  union { double number; unsigned long long bits; } both, other;
  both.number = number;
  other.number = sign;
  both.bits = (both.bits & 0x7fffffffffffffffULL) | (other.bits & 0x8000000000000000ULL);
  return both.number;
}

static int __heddle_infinite(double number)
{
  return number != 0 && number == number + number;
}

static double __heddle_boxed(double number)
{
  return __heddle_infinite(number) ? (number > 0 ? 1 : -1) : 0;
}

static double __heddle_without_nan(double number)
{
  return number != number ? 0 : number;
}

/* Whether a product overflows in its type. */
static int __heddle_overflows(double left, double right, int narrow)
{
  return __heddle_infinite(narrow ? (double)(float)(left * right) : left * right);
}

/* A part of (a + bi)(c + di) where both come out as NaN: with an infinite operand the product is infinite (C11 G.5.1).
   The signs of the zeros and NaNs that are left out make no difference: 0 times infinity is NaN. */
double __heddle_product(double a, double b, double c, double d, int imaginary, int narrow)
{
  int again = 0;
  if (__heddle_infinite(a) || __heddle_infinite(b)) {
    a = __heddle_boxed(a);
    b = __heddle_boxed(b);
    c = __heddle_without_nan(c);
    d = __heddle_without_nan(d);
    again = 1;
  }
  if (__heddle_infinite(c) || __heddle_infinite(d)) {
    c = __heddle_boxed(c);
    d = __heddle_boxed(d);
    a = __heddle_without_nan(a);
    b = __heddle_without_nan(b);
    again = 1;
  }
  if (!again && (__heddle_overflows(a, c, narrow) || __heddle_overflows(b, d, narrow)
                 || __heddle_overflows(a, d, narrow) || __heddle_overflows(b, c, narrow))) {
    a = __heddle_without_nan(a);
    b = __heddle_without_nan(b);
    c = __heddle_without_nan(c);
    d = __heddle_without_nan(d);
    again = 1;
  }
  double huge = 1e308;
  double part = imaginary ? a * d + b * c : a * c - b * d;
  return again ? huge * huge * part : part;
}

double fmin(double left, double right)
{
  return left != left ? right : right != right ? left : left < right ? left : right;
}

double fmax(double left, double right)
{
  return left != left ? right : right != right ? left : left > right ? left : right;
}

float fminf(float left, float right)
{
  return left != left ? right : right != right ? left : left < right ? left : right;
}

float fmaxf(float left, float right)
{
  return left != left ? right : right != right ? left : left > right ? left : right;
}
`

export const MATH: LibraryPart = { headers: { 'math.h': HEADER }, models: { '<heddle/math.c>': MODELS } }
