-- closed on any day of 2019, the last one too
select Company_Claim_Number as claim_number
from claim
where Claim_Close_Date >= date '2019-01-01' and Claim_Close_Date < date '2020-01-01'
