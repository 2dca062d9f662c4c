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
